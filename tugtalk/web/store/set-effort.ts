/** How hard the model of a session thinks. */
import type { App } from "./app.ts";
import type { SessionStore } from "./session-store.ts";

/** Null is the default. The host then asks Claude for the resulting effort. */
export function setEffort({ toasts }: App, session: SessionStore, level: string | null): void {
  const settings = { effortLevel: level };
  const set = session.command("control", { subtype: "apply_flag_settings", settings });
  void toasts.attempt(set);
}
