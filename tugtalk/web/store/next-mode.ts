/** The permission modes one after the other, by a key. */
import { viewMode } from "../../client/views/permission-modes.ts";
import type { App } from "./app.ts";
import { setMode } from "./session-settings.ts";
import type { SessionStore } from "./session-store.ts";

/** The modes of every day. The others are chosen on purpose, from the list of all. */
const CYCLE = ["default", "acceptEdits", "plan"];

export function modeAfter(current: string): string {
  return CYCLE[(CYCLE.indexOf(current) + 1) % CYCLE.length] ?? current;
}

/** Changes to the next mode, says which that is, and offers the way back. */
export async function nextPermissionMode(app: App, session: SessionStore): Promise<void> {
  const { permissionMode, metadata } = session.state.value;
  const before = permissionMode ?? metadata?.permissionMode ?? "default";
  const mode = modeAfter(before);
  if ((await setMode(app, session, mode)) === undefined) return;
  const { label, description } = viewMode(mode);
  app.toasts.show({
    severity: "info",
    text: `${label}: Claude ${description}.`,
    isPassing: true,
    action: { label: "Undo", run: () => void setMode(app, session, before) },
  });
}
