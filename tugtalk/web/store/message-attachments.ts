/** The attachments of a message, for the composer. Loaded when a message is to be written again. */
import { type Fields, objectOf, objectsOf, textOf } from "../../client/claude-value.ts";
import type { UserItem } from "../../client/transcript-models.ts";
import type { Attachment } from "../../src/messages/user-messages.ts";

/** The first text is the message itself. */
export function attachmentsOf(content: UserItem["content"]): Attachment[] {
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
