/**
 * Builds the line for a host message with its attachments, which are checked first: a bad line ends
 * Claude, and a bad image costs a turn. Protocol reference §2a, §8.
 */
import { attachmentRejection, isTextType } from "../messages/attachment-rejection.ts";
import type { Attachment } from "../messages/user-messages.ts";

type TextBlock = { readonly type: "text"; readonly text: string };
type ImageBlock = {
  readonly type: "image";
  readonly source: { readonly type: "base64"; readonly media_type: string; readonly data: string };
};
export type ContentBlock = TextBlock | ImageBlock;

/** One line for Claude's stdin. The echo repeats `uuid`, which ties a turn to its message. */
export function buildUserEnvelope(content: readonly ContentBlock[], messageId: string) {
  return {
    type: "user",
    session_id: "",
    message: { role: "user", content },
    parent_tool_use_id: null,
    uuid: messageId,
  };
}

/** The blocks of a message, or why an attachment cannot be sent. */
export type Content = { readonly blocks: readonly ContentBlock[] } | { readonly rejected: string };

/** Text first, then one block for each attachment, in order. */
export function buildContent(text: string, attachments: readonly Attachment[] = []): Content {
  // The API refuses a message with an empty text block.
  const isEmpty = text.trim() === "" && attachments.length > 0;
  const blocks: readonly ContentBlock[] = isEmpty ? [] : [{ type: "text", text }];
  const rejected = attachmentRejection(attachments);
  return rejected === undefined
    ? { blocks: [...blocks, ...attachments.map(blockOf)] }
    : { rejected };
}

function blockOf({ content, media_type }: Attachment): ContentBlock {
  if (isTextType(media_type)) return { type: "text", text: content };
  return { type: "image", source: { type: "base64", media_type, data: content } };
}
