/** Other ways for a conversation: a copy of it, or one from before an earlier message. */
import { type Fields, objectOf, objectsOf, textOf } from "../../client/claude-value.ts";
import type { UserItem } from "../../client/transcript-models.ts";
import type { Attachment } from "../../src/messages/user-messages.ts";
import type { App } from "./app.ts";
import { goTo } from "./route.ts";
import type { SessionStore } from "./session-store.ts";

/** Whether `editAndRetry` can be offered for an item: commands leave no message to go back to. */
export function canRetry({ source, messageId, text }: UserItem): boolean {
  return source === "host" && messageId !== undefined && !text.startsWith("/");
}

/** Goes on from before a message in a new session, with the message in its composer. */
export async function editAndRetry(
  app: App,
  session: SessionStore,
  { messageId, text, content }: UserItem,
): Promise<void> {
  const copy = await app.toasts.attempt(session.command("fork", { at_message: messageId }));
  const id = textOf(copy?.["id"]);
  if (id === undefined) return;
  app.drafts.giveBack(id, text, attachmentsOf(content));
  goTo({ name: "session", id });
}

/** The first text is the message itself. */
function attachmentsOf(content: UserItem["content"]): Attachment[] {
  return objectsOf(content).flatMap(({ type, source, text }, index) => {
    if (type === "image") return imageOf(index, objectOf(source));
    return index === 0 || typeof text !== "string" ? [] : textAttachment(text);
  });
}

function imageOf(index: number, source: Fields | undefined): Attachment | [] {
  const [data, mediaType] = [textOf(source?.["data"]), textOf(source?.["media_type"])];
  if (data === undefined || mediaType === undefined) return [];
  return { filename: `image-${index}`, content: data, media_type: mediaType };
}

/** The composer puts the name of a file in front of its text. */
function textAttachment(content: string): Attachment {
  const filename = /^(.+):\n\n/.exec(content)?.[1] ?? "text";
  return { filename, content, media_type: "text/plain" };
}
