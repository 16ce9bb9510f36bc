/** The permission modes one after the other, by a key. */
import { viewMode } from "../../client/views/permission-modes.ts";
import type { App } from "./app.ts";
import { setMode } from "./session-settings.ts";
import type { SessionStore } from "./session-store.ts";
import { until } from "./until.ts";

/** The modes of every day. The others are chosen on purpose, from the list of all. */
const CYCLE = ["default", "acceptEdits", "plan"];

export function modeAfter(current: string): string {
  return CYCLE[(CYCLE.indexOf(current) + 1) % CYCLE.length] ?? current;
}

/** The mode that a key has asked for last, until the session has it: the next key may come before. */
const asked = new WeakMap<SessionStore, { readonly mode: string }>();

/** Changes to the next mode, says which that is, and offers the way back. */
export async function nextPermissionMode(app: App, session: SessionStore): Promise<void> {
  const before = asked.get(session)?.mode ?? modeOf(session);
  const mode = modeAfter(before);
  const change = { mode };
  asked.set(session, change);
  const answer = await setMode(app, session, mode);
  if (answer !== undefined) {
    showMode(app, session, { mode, before });
    // The answer comes before the change.
    await until(() => modeOf(session) === mode);
  }
  if (asked.get(session) === change) asked.delete(session);
}

function modeOf({ state }: SessionStore): string {
  const { permissionMode, metadata } = state.value;
  return permissionMode ?? metadata?.permissionMode ?? "default";
}

type Change = { readonly mode: string; readonly before: string };

function showMode(app: App, session: SessionStore, { mode, before }: Change): void {
  const { label, description } = viewMode(mode);
  app.toasts.show({
    severity: "info",
    text: `${label}: Claude ${description}.`,
    isPassing: true,
    action: { label: "Undo", run: () => void setMode(app, session, before) },
  });
}
