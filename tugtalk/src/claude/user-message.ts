/**
 * Builds the line for a host message with its attachments, which are checked first: a bad line ends
 * Claude, and a bad image costs a turn. Protocol reference §2a, §8; D02, PN-12.
 */
import type { Attachment } from "../messages/user-messages.ts";

/** The largest image that the API takes, in bytes of base64 text (§8). */
export const MAX_IMAGE_BASE64_BYTES = 5 * 1024 * 1024;

/** The largest request that the API takes, in bytes (§11). */
export const MAX_ATTACHMENTS_BYTES = 32 * 1024 * 1024;

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
  const blocks: ContentBlock[] = isEmpty ? [] : [{ type: "text", text }];
  const bytes = attachments.reduce((sum, { content }) => sum + content.length, 0);
  if (bytes > MAX_ATTACHMENTS_BYTES)
    return { rejected: `${bytes} bytes of attachments ${MORE_THAN} ${MAX_ATTACHMENTS_BYTES}` };
  for (const attachment of attachments) {
    const rejected = rejection(attachment);
    const name = attachment.filename || "an attachment without a name";
    if (rejected !== undefined) return { rejected: `${name}: ${rejected}` };
    blocks.push(blockOf(attachment));
  }
  return { blocks };
}

function blockOf({ content, media_type }: Attachment): ContentBlock {
  if (isTextType(media_type)) return { type: "text", text: content };
  return { type: "image", source: { type: "base64", media_type, data: content } };
}

function isTextType(mediaType: string): boolean {
  return mediaType.startsWith("text/") || mediaType === "application/json";
}

/** The signature of each accepted image type. */
const MAGIC: ReadonlyMap<string, RegExp> = new Map([
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[\s\S]{4}WEBP/],
]);

const MORE_THAN = "are more than the limit of";

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Why an attachment cannot be sent. */
function rejection({ content, media_type }: Attachment): string | undefined {
  if (isTextType(media_type)) return content.trim() === "" ? "the text is empty" : undefined;
  const magic = MAGIC.get(media_type);
  if (magic === undefined)
    return `${media_type} is not supported; send image/png, image/jpeg, image/gif, image/webp or a text type`;
  if (content.length > MAX_IMAGE_BASE64_BYTES)
    return `${content.length} bytes of base64 ${MORE_THAN} ${MAX_IMAGE_BASE64_BYTES}`;
  if (content.length % 4 !== 0 || !BASE64.test(content)) return "the content is not base64";
  // The longest signature is 12 bytes: 16 characters of base64.
  return magic.test(atob(content.slice(0, 16))) ? undefined : `the content is not ${media_type}`;
}
