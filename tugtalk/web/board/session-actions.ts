/** What a person can do with a session, wherever it is named. */
import type { IconName } from "../../host/page/icons.ts";
import type { App, DialogName } from "../store/app.ts";
import { nextNeeding } from "../store/next-needing.ts";
import { goTo } from "../store/route.ts";

export type SessionAction = {
  readonly name: string;
  readonly label: string;
  /** In the menu of a session. */
  readonly shortLabel?: string;
  readonly icon: IconName;
  readonly run: (app: App, id: string) => void;
};

function opening(name: DialogName, label: string, icon: IconName): SessionAction {
  return { name, label, icon, run: ({ open }, id) => open(name, id) };
}

/** In the order of the menus. */
export const SESSION_ACTIONS: readonly SessionAction[] = [
  opening("rename", "Rename", "edit"),
  { name: "fork", label: "Fork", icon: "fork", run: forkSession },
  opening("limit", "Limit", "coin"),
  opening("export", "Export", "download"),
  { name: "end", label: "End Claude", shortLabel: "End", icon: "stop", run: endClaude },
  opening("delete", "Delete", "trash"),
];

/** Goes on in a copy of the conversation. */
async function forkSession({ host, toasts }: App, id: string): Promise<void> {
  const copy = await toasts.attempt(host.transport.command("fork", { id }));
  if (copy !== undefined) goTo({ name: "session", id: String(copy["id"]) });
}

/** Ends Claude; the session stays. */
async function endClaude({ host, toasts }: App, id: string): Promise<void> {
  await toasts.attempt(host.transport.command("delete", { id, keep: true }));
}

/** Said where a person looks for a session that waits. */
export const NOBODY_WAITS = "No other session waits for you.";

/** Goes to the next session that waits for a person. */
export function goToNextNeeding({ host, route, toasts }: App): void {
  const shown = route.value;
  const id = nextNeeding(host.board.value, shown.name === "session" ? shown.id : undefined);
  if (id !== undefined) goTo({ name: "session", id });
  else toasts.show({ severity: "info", text: NOBODY_WAITS });
}
