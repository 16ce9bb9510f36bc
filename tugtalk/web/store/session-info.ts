/** What the host says of the session of a store. */
import { type ReadonlySignal, useComputed } from "@preact/signals";
import type { SessionInfo } from "../../client/host-api.ts";
import { useApp } from "./app.ts";
import type { SessionStore } from "./session-store.ts";

/** Undefined before the first list of sessions. */
export function useSessionInfo({ id }: SessionStore): ReadonlySignal<SessionInfo | undefined> {
  const { host } = useApp();
  return useComputed(() => host.board.value.sessions.find((session) => session.id === id));
}
