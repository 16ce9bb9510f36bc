/** What a person can do with a session, wherever it is named. */
import type { App, DialogName } from "../store/app.ts";
import { nextNeeding } from "../store/next-needing.ts";
import { goTo } from "../store/route.ts";

/** Opens a dialog about a session. */
export function openDialog({ dialog, subject }: App, name: DialogName, id: string): void {
  subject.value = id;
  dialog.value = name;
}

/** Goes on in a copy of the conversation. */
export async function forkSession({ host, toasts }: App, id: string): Promise<void> {
  try {
    const copy = await host.transport.command("fork", { id });
    goTo({ name: "session", id: String(copy["id"]) });
  } catch (error) {
    toasts.fail(error);
  }
}

/** Ends Claude; the session stays. */
export async function endClaude({ host, toasts }: App, id: string): Promise<void> {
  try {
    await host.transport.command("delete", { id, keep: true });
  } catch (error) {
    toasts.fail(error);
  }
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
