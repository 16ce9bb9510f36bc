/** The messages that tell of one block of what Claude writes: a text, a thought or a tool call. */
import type { OutboundDraft } from "../types.ts";

const BLOCK_TYPES = ["assistant_text", "thinking_text", "tool_use"] as const;
const TYPES: ReadonlySet<string> = new Set(BLOCK_TYPES);

/** A message about one block. */
export type BlockMessage = Extract<OutboundDraft, { type: (typeof BLOCK_TYPES)[number] }>;

/** Tells whether a message is about one block. */
export function isBlockMessage(message: OutboundDraft): message is BlockMessage {
  return TYPES.has(message.type);
}
