/** Content blocks of kinds that have no message of their own: passed on with their whole line, once. */
import type { AssistantMessage, UserMessage } from "../messages/conversation-lines.ts";
import type { OutboundDraft } from "../types.ts";

/** What a line says in blocks that nobody knows: at most one message, named after the first of them. */
export function fromOtherBlocks(event: AssistantMessage | UserMessage): OutboundDraft[] {
  const { content } = event.message;
  if (typeof content === "string") return [];
  const first = content.find((block) => block.type === "other");
  if (first === undefined) return [];
  const message = { ...event.message, content: content.map(unparsed) };
  return [
    {
      type: "unknown_event",
      original_type: event.type,
      original_subtype: first.kind,
      raw: { ...event, message },
    },
  ];
}

/** A block as it came. */
function unparsed(block: { readonly type: string; readonly raw?: unknown }): unknown {
  return block.type === "other" ? block.raw : block;
}
