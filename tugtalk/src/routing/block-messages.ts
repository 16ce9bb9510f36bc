/** The messages about one block of a message of Claude's: a text, a thought or a tool call. */
import type { OutboundDraft } from "../types.ts";

const BLOCK_TYPES = ["assistant_text", "thinking_text", "tool_use"] as const;
const TYPES: ReadonlySet<string> = new Set(BLOCK_TYPES);

export type BlockMessage = Extract<OutboundDraft, { type: (typeof BLOCK_TYPES)[number] }>;

export function isBlockMessage(message: OutboundDraft): message is BlockMessage {
  return TYPES.has(message.type);
}
