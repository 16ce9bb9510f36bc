/** Runs the actions of Stop and Escape. */
import { batch } from "@preact/signals";
import { isRunning } from "../../client/task-status.ts";
import type { App } from "./app.ts";
import { escapeAction } from "./escape-action.ts";
import { takeAll } from "./returned.ts";
import type { SessionStore } from "./session-store.ts";
import { type StopAction, stopAction } from "./stop-action.ts";

type StopApp = Pick<App, "drafts" | "toasts">;

/** The button Stop of a session. */
export function stop(app: StopApp, session: SessionStore): void {
  const { unanswered } = app.drafts.of(session.id);
  run(app, session, stopAction(session.get().state, unanswered.value.length > 0));
}

/** Escape, where nothing that is open takes it. `text` is the text of the composer then: later typing stays. */
export function onEscape(app: StopApp, session: SessionStore, text: string): void {
  const { unanswered } = app.drafts.of(session.id);
  const isSending = unanswered.value.length > 0;
  run(app, session, escapeAction(session.get().state, isSending, text), text);
}

function run(app: StopApp, session: SessionStore, action: StopAction, text = ""): void {
  switch (action) {
    case "interrupt":
      void interrupt(app, session, {});
      return;
    case "offer":
      offer(app, session);
      return;
    case "clear":
      clear(app, session, text);
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

/** Waiting messages come back into the composer of the person who has stopped. */
async function interrupt(
  app: StopApp,
  session: SessionStore,
  fields: { readonly include_background?: true },
): Promise<void> {
  const isAsked = session.prompts.value.length > 0;
  try {
    const answer = await session.command("interrupt", fields);
    await takeAll(app, session, answer.queued_messages);
  } catch (error) {
    // Messages that have left the queue are offered: the host keeps them until they are taken.
    app.toasts.fail(error);
    return;
  }
  if (isAsked)
    app.toasts.show({ severity: "info", text: "Stopped. What Claude asked was not answered." });
}

/** Escape may have been meant for a turn that had just ended, or for a list that was not there yet. */
function clear({ drafts, toasts }: StopApp, { id }: SessionStore, cleared: string): void {
  const { text, recent } = drafts.of(id);
  // It was sent or changed since.
  if (!text.value.startsWith(cleared)) return;
  batch(() => {
    recent.value = [...recent.value, cleared];
    text.value = text.value.slice(cleared.length);
  });
  toasts.show({
    severity: "info",
    text: "The message field was cleared. ↑ brings it back.",
    isPassing: true,
    action: { label: "Undo", run: () => drafts.giveBack(id, cleared) },
  });
}
