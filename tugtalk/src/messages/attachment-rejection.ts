/** Why the attachments of a user message cannot be sent, for the bridge and for hosts that ask before. Pure. */
import type { Attachment } from "./user-messages.ts";

/** The largest image that the API takes, in bytes of base64 text (§8). */
export const MAX_IMAGE_BASE64_BYTES = 5 * 1024 * 1024;

/** The largest request that the API takes, in bytes (§11). */
export const MAX_ATTACHMENTS_BYTES = 32 * 1024 * 1024;

/** Names the attachment. Undefined if all of them can be sent. */
export function attachmentRejection(attachments: readonly Attachment[]): string | undefined {
  const bytes = attachments.reduce((sum, { content }) => sum + content.length, 0);
  if (bytes > MAX_ATTACHMENTS_BYTES)
    return `${bytes} bytes of attachments ${MORE_THAN} ${MAX_ATTACHMENTS_BYTES}`;
  for (const attachment of attachments) {
    const rejected = rejection(attachment);
    const name = attachment.filename || "an attachment without a name";
    if (rejected !== undefined) return `${name}: ${rejected}`;
  }
  return undefined;
}

/** Whether the content is the text itself. */
export function isTextType(mediaType: string): boolean {
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
