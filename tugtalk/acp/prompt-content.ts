/** A prompt of the client as a message for the bridge. Pure. */
import type { Attachment, UserMessageInput } from "../src/messages/user-messages.ts";
import { AcpError } from "./json-rpc.ts";
import type { ContentBlock } from "./request-schemas.ts";

export type PromptContent = Required<Pick<UserMessageInput, "text" | "attachments">>;
export type SentPrompt = PromptContent & Pick<UserMessageInput, "delivery">;

/**
 * Texts and links become the text, in order. A text resource becomes a link in its place, and its content
 * comes at the end: Claude makes titles from the beginning. Images become attachments. Throws -32602 for
 * blocks that Claude takes in no form.
 */
export function promptContent(blocks: readonly ContentBlock[]): PromptContent {
  const parts = blocks.map(partOf);
  const texts = parts.flatMap((part) => ("text" in part ? part.text : []));
  const contents = parts.flatMap((part) => ("content" in part ? part.content : []));
  const text = [...texts, ...contents].join("\n");
  const attachments = parts.flatMap((part) => ("attachment" in part ? part.attachment : []));
  if (text === "" && attachments.length === 0)
    throw new AcpError("invalidParams", "prompt: it is empty");
  return { text, attachments };
}

/** `content` is of a resource that `text` names. */
type Part =
  | { readonly text: string; readonly content?: string }
  | { readonly attachment: Attachment };

function partOf(block: ContentBlock, index: number): Part {
  switch (block.type) {
    case "text":
      return { text: block.text };
    case "image":
      return {
        attachment: {
          filename: block.uri ?? `image ${index + 1}`,
          content: block.data,
          media_type: block.mimeType,
        },
      };
    case "resource_link":
      return { text: linkText(block.uri, block.title ?? block.name) };
    case "resource":
      return resourcePart(block.resource, index);
  }
}

type Resource = Extract<ContentBlock, { type: "resource" }>["resource"];

function resourcePart(resource: Resource, index: number): Part {
  const { uri } = resource;
  if ("text" in resource)
    return {
      text: `[${nameIn(uri)}](${uri})`,
      content: `<resource uri=${JSON.stringify(uri)}>\n${resource.text}\n</resource>`,
    };
  const media_type = resource.mimeType ?? "";
  if (!media_type.startsWith("image/"))
    throw new AcpError("invalidParams", `prompt.${index}: a binary resource must be an image`);
  return { attachment: { filename: uri, content: resource.blob, media_type } };
}

/** The last part of its path. */
function nameIn(uri: string): string {
  return /([^/?#]+)\/?(?:[?#].*)?$/.exec(uri)?.[1] ?? uri;
}

/** A file is named by its path, as Claude's own `@` does; anything else by its name and address. */
function linkText(uri: string, name: string): string {
  const path = filePath(uri);
  return path === undefined ? `[${name}](${uri})` : `@${path}`;
}

function filePath(uri: string): string | undefined {
  if (!uri.startsWith("file://")) return undefined;
  try {
    return decodeURIComponent(new URL(uri).pathname);
  } catch {
    return undefined; // Not a URL: it is passed on as it is.
  }
}
