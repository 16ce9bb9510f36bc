/** The permission mode of a session, one after the other. */
import { viewMode } from "../../client/views/permission-modes.ts";
import type { App } from "./app.ts";
import type { SessionStore } from "./session-store.ts";

/** The modes of every day. The others are chosen on purpose, from the list of all. */
const CYCLE = ["default", "acceptEdits", "plan"];

export function modeAfter(current: string): string {
  return CYCLE[(CYCLE.indexOf(current) + 1) % CYCLE.length] ?? current;
}

/** Changes to the next mode, and says which that is. */
export async function nextPermissionMode({ toasts }: App, session: SessionStore): Promise<void> {
  const { permissionMode, metadata } = session.state.value;
  const mode = modeAfter(permissionMode ?? metadata?.permissionMode ?? "default");
  try {
    await session.command("mode", { permission_mode: mode });
    const { label, description } = viewMode(mode);
    toasts.show({ severity: "info", text: `${label}: Claude ${description}.` });
  } catch (error) {
    toasts.fail(error);
  }
}
