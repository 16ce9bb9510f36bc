/** A desktop notification for each prompt that comes while nobody looks at the page. */
import { useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { promptName, type SessionPrompt } from "../../client/stores/session-prompt.ts";
import { type App, useApp } from "../store/app.ts";
import { goTo } from "../store/route.ts";
import { titleText } from "../store/title-text.ts";

/** They say who asks for which kind of thing, and never the thing: a desktop may be seen by others. */
function notificationText(prompt: SessionPrompt): string {
  switch (prompt.kind) {
    case "permission":
      return `Claude asks to use ${prompt.toolName}`;
    case "question":
      return "Claude has a question";
    case "elicitation":
      return `${prompt.serverName} asks for information`;
    case "dialog":
      return "Claude asks for a decision";
  }
}

/** The open notifications, by prompt. */
type Shown = Map<string, Notification>;

type NotificationsProps = {
  /** The prompts that are no news. */
  readonly known: RefObject<ReadonlySet<string> | undefined>;
};

/** Draws nothing. */
export function Notifications({ known }: NotificationsProps): null {
  const app = useApp();
  const shown = useRef<Shown>(new Map());
  useSignalEffect(() => {
    const { isLoaded, pending } = app.host.board.value;
    if (!isLoaded) return;
    const open = new Set(pending.map(promptName));
    closeAnswered(shown.current, open);
    // Prompts that were open before the page are no news.
    const before = known.current ?? open;
    for (const prompt of pending)
      if (!before.has(promptName(prompt)) && canShow()) show(app, shown.current, prompt);
    known.current = open;
  });
  return null;
}

function closeAnswered(shown: Shown, open: ReadonlySet<string>): void {
  for (const [name, notification] of shown) {
    if (open.has(name)) continue;
    notification.close();
    shown.delete(name);
  }
}

function canShow(): boolean {
  return (
    document.hidden && typeof Notification !== "undefined" && Notification.permission === "granted"
  );
}

function show({ host }: App, shown: Shown, prompt: SessionPrompt): void {
  const { sessionId } = prompt;
  const session = host.board.peek().sessions.find(({ id }) => id === sessionId);
  const notification = notificationFor(prompt, titleText(session?.title ?? ""));
  if (notification === undefined) return;
  notification.onclick = () => {
    window.focus();
    goTo({ name: "session", id: sessionId });
    notification.close();
  };
  shown.set(promptName(prompt), notification);
}

/** Undefined where only service workers may notify, as on phones: their browsers tell it by an error. */
function notificationFor(prompt: SessionPrompt, title: string): Notification | undefined {
  try {
    // Several tabs show the same one once.
    return new Notification(title, {
      body: notificationText(prompt),
      tag: `tugtalk ${promptName(prompt)}`,
    });
  } catch {
    return undefined;
  }
}
