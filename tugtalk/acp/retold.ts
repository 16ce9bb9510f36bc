/** The messages of a running session that the telling of its past has told already. Pure. */
import type { OutboundDraft } from "../src/types.ts";
import { blockKey, type Streamed } from "./updates/text-updates.ts";

export type Retold = {
  /** The blocks and calls in the transcript. */
  readonly told: ReadonlySet<string>;
  /** The blocks of which a part was told before: the whole block is told at its end. */
  readonly begun: ReadonlySet<string>;
};

export const NOT_RETOLD: Retold = { told: new Set(), begun: new Set() };

/** A name for what a transcript and a live session both have; undefined for everything else. */
export function entryOf(message: OutboundDraft): string | undefined {
  switch (message.type) {
    case "assistant_text":
    case "thinking_text":
      if (message.status !== "complete" || !message.text) return undefined;
      return `${message.type} ${message.msg_id} ${message.text}`;
    case "tool_use":
      return message.status === "complete" ? `${message.type} ${message.tool_use_id}` : undefined;
    case "tool_result":
    case "tool_use_structured":
      return `${message.type} ${message.tool_use_id}`;
    default:
      return undefined;
  }
}

/** Both names of what a transcript has. */
export function namesOf(message: OutboundDraft): string[] {
  const entry = entryOf(message);
  if (entry === undefined) return [];
  return isOfBlock(message) ? [entry, blockKey(message)] : [entry];
}

export function isRetold(retold: Retold, message: OutboundDraft): boolean {
  // As a rule nothing was, and every delta asks.
  if (retold === NOT_RETOLD) return false;
  const { told, begun } = retold;
  const entry = entryOf(message);
  if (entry !== undefined) return told.has(entry);
  if (!isOfBlock(message) || message.status !== "partial") return false;
  const block = blockKey(message);
  return begun.has(block) || told.has(block);
}

function isOfBlock(message: OutboundDraft): message is Streamed {
  return message.type === "assistant_text" || message.type === "thinking_text";
}
