/** Changes of a session's model and permission mode. Pages show the values that the session reports. */
import type { App } from "./app.ts";
import { BYPASS } from "./bypass.ts";
import type { SessionStore } from "./session-store.ts";
import { setEffort } from "./set-effort.ts";

/** Sets the mode. A person confirms the mode that skips all permissions first. */
export function chooseMode(app: App, session: SessionStore, mode: string): void {
  if (mode === BYPASS && session.state.value.permissionMode !== BYPASS) app.open("bypass");
  else void setMode(app, session, mode);
}

/** Shows why Claude refuses, if it does. */
export function setMode({ toasts }: App, session: SessionStore, mode: string): Promise<unknown> {
  return toasts.attempt(session.command("mode", { permission_mode: mode }));
}

/** `default`: Claude chooses the model itself. */
export function setModel({ toasts }: App, session: SessionStore, chosen: string): void {
  const model = chosen === "default" ? null : chosen;
  void toasts.attempt(session.command("model", { model }));
}

/**
 * `off`: the model does not think before it answers. Otherwise it thinks with this effort, if it has that
 * level.
 */
export function chooseThinking(
  app: App,
  session: SessionStore,
  chosen: string,
  { wasOff, levels }: { readonly wasOff: boolean; readonly levels: readonly string[] },
): void {
  const isOff = chosen === "off";
  if (wasOff !== isOff) setThinking(app, session, !isOff);
  if (levels.includes(chosen)) setEffort(app, session, chosen);
}

/** Asks Claude for its settings, which are then in the state of the session. Never starts a Claude. */
export function askSettings(session: SessionStore): void {
  if (WITHOUT_CLAUDE.has(session.status.peek())) return;
  // With a version that does not know the question, the settings stay unknown.
  session.command("control", { subtype: "get_settings" }).catch(() => undefined);
}

/** The states in which a question would start Claude. */
const WITHOUT_CLAUDE: ReadonlySet<string> = new Set(["exited", "failed", "disconnected"]);

function setThinking({ toasts }: App, session: SessionStore, isOn: boolean): void {
  const max_thinking_tokens = isOn ? null : 0;
  const fields = { subtype: "set_max_thinking_tokens", max_thinking_tokens };
  void toasts.attempt(session.command("control", fields));
}
