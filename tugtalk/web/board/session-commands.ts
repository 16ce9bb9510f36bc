/** Commands about a session that a person gives by a menu. The host says why it refuses one. */
import type { App } from "../store/app.ts";
import { goTo } from "../store/route.ts";

/** Goes on in a copy of the conversation. */
export async function forkSession({ host, toasts }: App, id: string): Promise<void> {
  const copy = await toasts.attempt(host.transport.command("fork", { id }));
  if (copy !== undefined) goTo({ name: "session", id: copy.id });
}

/** Ends Claude; the session stays. */
export async function endClaude({ host, toasts }: App, id: string): Promise<void> {
  await toasts.attempt(host.transport.command("delete", { id, keep: true }));
}

/** Puts it away, and goes to the board where it is shown. The host says why it refuses. */
export async function archive(app: App, id: string): Promise<void> {
  const { host, route, toasts } = app;
  const done = await toasts.attempt(host.transport.command("update", { id, archived: true }));
  if (done === undefined) return;
  const shown = route.value;
  if (shown.name === "session" && shown.id === id) goTo({ name: "board" });
  toasts.show({
    severity: "info",
    isOfPage: true,
    isPassing: true,
    text: "Archived. The next message brings it back.",
    action: { label: "Undo", run: () => bringBack(app, id) },
  });
}

export function bringBack({ host, toasts }: App, id: string): void {
  void toasts.attempt(host.transport.command("update", { id, archived: false }));
}
