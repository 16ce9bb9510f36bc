/** Changes of a session's model and permission mode. Pages show what the session says that it has. */
import type { App } from "./app.ts";
import type { SessionStore } from "./session-store.ts";

/** The mode in which Claude asks for nothing. */
export const BYPASS = "bypassPermissions";

/** Sets the mode; one that asks for nothing is confirmed first. */
export function chooseMode(app: App, session: SessionStore, mode: string): void {
  if (mode === BYPASS && session.state.value.permissionMode !== BYPASS) app.dialog.value = "bypass";
  else void setMode(app, session, mode);
}

/** Shows why Claude refuses, if it does. */
export function setMode(app: App, session: SessionStore, mode: string): Promise<void> {
  return run(app, session.command("mode", { permission_mode: mode }));
}

/** Null is Claude's default model. */
export function setModel(app: App, session: SessionStore, model: string | null): Promise<void> {
  return run(app, session.command("model", { model }));
}

/** How hard the model thinks; null is the default. */
export function setEffort(app: App, session: SessionStore, level: string | null): Promise<void> {
  const settings = { effortLevel: level };
  const set = session.command("control", { subtype: "apply_flag_settings", settings });
  return run(
    app,
    set.then(() => session.command("control", { subtype: "get_settings" })),
  );
}

async function run({ toasts }: App, command: Promise<unknown>): Promise<void> {
  try {
    await command;
  } catch (error) {
    toasts.fail(error);
  }
}
