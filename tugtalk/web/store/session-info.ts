/** The host's record of a session. */
import { type ReadonlySignal, useComputed } from "@preact/signals";
import type { SessionInfo } from "../../client/host-api.ts";
import { useApp } from "./app.ts";
import type { HostStore } from "./host-store.ts";
import type { SessionStore } from "./session-store.ts";

/** Undefined before the first list of sessions. */
export function useSessionInfo({ id }: SessionStore): ReadonlySignal<SessionInfo | undefined> {
  const { host } = useApp();
  return useComputed(() => infoOf(host, id));
}

/**
 * The session that a dialog is about: the chosen one, or the session of the route. Undefined if it is gone.
 */
export function useSubject(): ReadonlySignal<SessionInfo | undefined> {
  const { host, subject, session } = useApp();
  return useComputed(() => infoOf(host, subject.value ?? session.value?.id));
}

function infoOf({ board }: HostStore, wanted: string | undefined): SessionInfo | undefined {
  return board.value.sessions.find(({ id }) => id === wanted);
}
