/**
 * The messages of Claude that a load has sent already, from the transcript. A load in the middle of a turn has
 * the first part of the turn, and Claude may report the same messages after the load.
 */
import { BoundedMap } from "../src/base/bounded-map.ts";
import type { OutboundDraft } from "../src/types.ts";
import { blockKey, type Streamed } from "./updates/text-updates.ts";

export type Retold = {
  /** The names of the blocks, calls and compactions that the load has sent. */
  readonly told: ReadonlySet<string>;
  /**
   * The blocks of which the client had deltas before a load. The transcript lacks an unfinished block, so that
   * Claude's further deltas are dropped, and the client gets the whole block when Claude has finished it.
   */
  readonly begun: ReadonlySet<string>;
};

export const NOT_RETOLD: Retold = { told: new Set(), begun: new Set() };

/** How many entries are counted. Entries that are alike belong to one message of the model, so old counts may go. */
const MAX_COUNTED = 65_536;

/**
 * Gives a message of Claude the same name in the live session and in the transcript. A block has no id of its
 * own, and its index differs between both. It is therefore named by its text, and equal texts of one message
 * are counted, in the order that both have.
 */
export class EntryNames {
  readonly #counts = new BoundedMap<string, number>(MAX_COUNTED);

  /** The name of the next message; undefined for a message that the live session or the transcript lacks. */
  of(message: OutboundDraft): string | undefined {
    const entry = entryOf(message);
    return entry === undefined ? undefined : `${entry} ${this.#counts.get(entry) ?? 0}`;
  }

  /** The same, and counts the message. */
  take(message: OutboundDraft): string | undefined {
    const name = this.of(message);
    const entry = entryOf(message);
    if (entry !== undefined) this.#counts.set(entry, (this.#counts.get(entry) ?? 0) + 1);
    return name;
  }

  /** All names of a message of a transcript: a block also has the key of its deltas. */
  ofPast(message: OutboundDraft): string[] {
    const name = this.take(message);
    if (name === undefined) return [];
    return isOfBlock(message) ? [name, blockKey(message)] : [name];
  }
}

const COMPACTION = "compact_boundary";

/** The name of a prompt in a transcript. */
export const promptName = (messageId?: string) => `${promptEntry(messageId)} 0`;

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

/** Whether the load has sent this message, which has this name. */
export function isRetold(retold: Retold, message: OutboundDraft, name: string | undefined) {
  const { told, begun } = retold;
  if (name !== undefined) return told.has(name);
  if (!isOfBlock(message) || message.status !== "partial") return false;
  const block = blockKey(message);
  return begun.has(block) || told.has(block);
}

export function compactionsIn(names: Iterable<string>): string[] {
  return [...names].filter((name) => name.startsWith(COMPACTION));
}

function isOfBlock(message: OutboundDraft): message is Streamed {
  return message.type === "assistant_text" || message.type === "thinking_text";
}
