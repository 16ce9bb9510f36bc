/** Does what Stop and Escape are for. */
import { batch } from "@preact/signals";
import { objectsOf } from "../../client/claude-value.ts";
import { isRunning } from "../../client/task-status.ts";
import type { App } from "./app.ts";
import type { Draft } from "./drafts.ts";
import { takeAll } from "./returned.ts";
import type { SessionStore } from "./session-store.ts";
import { escapeAction, type StopAction, stopAction } from "./stop-action.ts";

type StopApp = Pick<App, "drafts" | "toasts">;

/** The button Stop of a session. */
export function stop(app: StopApp, session: SessionStore): void {
  const { unanswered } = app.drafts.of(session.id);
  run(app, session, stopAction(session.latest, unanswered.value.length > 0));
}

/** Escape, where nothing that is open takes it. */
export function onEscape(app: StopApp, session: SessionStore): void {
  const { text, unanswered } = app.drafts.of(session.id);
  const isSending = unanswered.value.length > 0;
  run(app, session, escapeAction(session.latest, isSending, text.value));
}

function run(app: StopApp, session: SessionStore, action: StopAction): void {
  switch (action) {
    case "interrupt":
      void interrupt(app, session, {});
      return;
    case "offer":
      offer(app, session);
      return;
    case "clear":
      clear(app.drafts.of(session.id));
      return;
    case "none":
  }
}

function offer(app: StopApp, session: SessionStore): void {
  const count = session.state.value.backgroundTasks.filter(isRunning).length;
  app.toasts.show({
    severity: "info",
    text: count === 1 ? "A task runs in the background." : `${count} tasks run in the background.`,
    action: {
      label: "End background work",
      run: () => void interrupt(app, session, { include_background: true }),
    },
  });
}

/** What waited comes back into the composer of who has stopped. */
async function interrupt(
  app: StopApp,
  session: SessionStore,
  fields: { readonly include_background?: true },
): Promise<void> {
  const isAsked = session.prompts.value.length > 0;
  try {
    const answer = await session.command("interrupt", fields);
    await takeAll(app, session, objectsOf(answer["queued_messages"]));
  } catch (error) {
    // What has left the queue is offered: the host keeps it until it is taken.
    app.toasts.fail(error);
    return;
  }
  if (isAsked)
    app.toasts.show({ severity: "info", text: "Stopped. What Claude asked was not answered." });
}

function clear({ text, recent }: Draft): void {
  batch(() => {
    recent.value = [...recent.value, text.value];
    text.value = "";
  });
}
