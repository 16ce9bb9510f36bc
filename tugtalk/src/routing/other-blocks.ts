/** Content blocks of unknown kinds: passed on with their whole line, once. */
import type { AssistantMessage, UserMessage } from "../messages/conversation-lines.ts";
import type { OutboundDraft } from "../types.ts";

/** At most one message for a line, named after its first unknown block. */
export function fromOtherBlocks(event: AssistantMessage | UserMessage): OutboundDraft[] {
  const { content } = event.message;
  if (typeof content === "string") return [];
  const first = content.find((block) => block.type === "other");
  if (first === undefined) return [];
  const original = content.map((block) => (block.type === "other" ? block.raw : block));
  return [
    {
      type: "unknown_event",
      original_type: event.type,
      original_subtype: first.kind,
      raw: { ...event, message: { ...event.message, content: original } },
    },
  ];
}
