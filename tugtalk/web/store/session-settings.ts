/** Changes of a session's model and permission mode. Pages show what the session says that it has. */
import { viewMode } from "../../client/views/permission-modes.ts";
import type { App } from "./app.ts";
import type { SessionStore } from "./session-store.ts";

/** The mode in which Claude asks for nothing. */
export const BYPASS = "bypassPermissions";

/** Sets the mode; one that asks for nothing is confirmed first. */
export function chooseMode(app: App, session: SessionStore, mode: string): void {
  if (mode === BYPASS && session.state.value.permissionMode !== BYPASS) app.open("bypass");
  else void setMode(app, session, mode);
}

/** Shows why Claude refuses, if it does. */
export function setMode({ toasts }: App, session: SessionStore, mode: string): Promise<unknown> {
  return toasts.attempt(session.command("mode", { permission_mode: mode }));
}

/** `default` is what Claude chooses itself. */
export function setModel({ toasts }: App, session: SessionStore, chosen: string): void {
  const model = chosen === "default" ? null : chosen;
  void toasts.attempt(session.command("model", { model }));
}

/** How hard the model thinks; null is the default. */
export function setEffort({ toasts }: App, session: SessionStore, level: string | null): void {
  const settings = { effortLevel: level };
  const set = session.command("control", { subtype: "apply_flag_settings", settings });
  void toasts.attempt(set.then(() => session.command("control", { subtype: "get_settings" })));
}

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
