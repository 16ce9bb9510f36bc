/** The session that a dialog is about. */
import { type ReadonlySignal, useComputed } from "@preact/signals";
import type { SessionInfo } from "../../client/host-api.ts";
import { useApp } from "../store/app.ts";

/** The one that was chosen for the dialog, else that of the route; undefined if it is gone. */
export function useSubject(): ReadonlySignal<SessionInfo | undefined> {
  const { host, subject, session } = useApp();
  return useComputed(() => {
    const wanted = subject.value ?? session.value?.id;
    return host.board.value.sessions.find(({ id }) => id === wanted);
  });
}
