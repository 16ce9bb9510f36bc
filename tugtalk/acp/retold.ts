/** The messages of a running session that the load of its past has sent already. */
import { BoundedMap } from "../src/base/bounded-map.ts";
import type { OutboundDraft } from "../src/types.ts";
import { blockKey, type Streamed } from "./updates/text-updates.ts";

export type Retold = {
  /** The blocks, calls and compactions in the transcript. */
  readonly told: ReadonlySet<string>;
  /** The blocks of which a part was sent before: the whole block is sent at its end. */
  readonly begun: ReadonlySet<string>;
};

export const NOT_RETOLD: Retold = { told: new Set(), begun: new Set() };

/** How many names are counted. Those that are alike belong to one message of the model. */
const MAX_COUNTED = 65_536;

/**
 * Names the parts that a transcript and a live session both have, in the order in which both have them. Blocks of one
 * message may have the same text, and the index of a block in its message is not its index in the line.
 */
export class EntryNames {
  readonly #counts = new BoundedMap<string, number>(MAX_COUNTED);

  /** The name of a message, if it is the next one; undefined for what only one of both has. */
  of(message: OutboundDraft): string | undefined {
    const entry = entryOf(message);
    return entry === undefined ? undefined : `${entry} ${this.#counts.get(entry) ?? 0}`;
  }

  /** The same, and it is behind. */
  take(message: OutboundDraft): string | undefined {
    const name = this.of(message);
    const entry = entryOf(message);
    if (entry !== undefined) this.#counts.set(entry, (this.#counts.get(entry) ?? 0) + 1);
    return name;
  }

  /** All names of what a transcript has. */
  ofPast(message: OutboundDraft): string[] {
    const name = this.take(message);
    if (name === undefined) return [];
    return isOfBlock(message) ? [name, blockKey(message)] : [name];
  }
}

const COMPACTION = "compact_boundary";

/** The name of a prompt in a transcript. */
export const promptName = (messageId: string) => `${promptEntry(messageId)} 0`;

const promptEntry = (messageId = "") => `prompt ${messageId}`;

function entryOf(message: OutboundDraft): string | undefined {
  switch (message.type) {
    case "assistant_text":
    case "thinking_text":
      if (message.status !== "complete" || !message.text) return undefined;
      return `${message.type} ${message.msg_id} ${Bun.hash(message.text)}`;
    case "tool_use":
      return message.status === "complete" ? `${message.type} ${message.tool_use_id}` : undefined;
    case "tool_result":
    case "tool_use_structured":
      return `${message.type} ${message.tool_use_id}`;
    case "user_text":
      return message.kind === "history" ? promptEntry(message.message_id) : undefined;
    case COMPACTION:
      return `${message.type} ${message.pre_tokens} ${message.post_tokens}`;
    default:
      return undefined;
  }
}

/** Whether it was sent; `name` is the name of the message. */
export function isRetold(retold: Retold, message: OutboundDraft, name: string | undefined) {
  const { told, begun } = retold;
  if (name !== undefined) return told.has(name);
  if (!isOfBlock(message) || message.status !== "partial") return false;
  const block = blockKey(message);
  return begun.has(block) || told.has(block);
}

export function compactionsIn({ told }: Retold): string[] {
  return [...told].filter((name) => name.startsWith(COMPACTION));
}

function isOfBlock(message: OutboundDraft): message is Streamed {
  return message.type === "assistant_text" || message.type === "thinking_text";
}
