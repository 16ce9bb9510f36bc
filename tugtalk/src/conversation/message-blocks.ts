/**
 * The blocks of one message of Claude's: which are open, which index the next one gets, and how
 * each ends. `blocks.ts` keeps one of these for each message of each lane.
 */

import type { StreamEvent } from "../messages/conversation-lines.ts";
import type { BlockMessage } from "../routing/block-messages.ts";
import type { OutboundDraft } from "../types.ts";
import { MAX_KEPT_TEXT, StreamedText } from "./streamed-text.ts";

type Writing = {
  readonly kind: "assistant_text" | "thinking_text";
  readonly streamed: StreamedText;
  isStopped: boolean;
};

type Call = { readonly kind: "tool_use"; readonly tool_use_id: string; readonly tool_name: string };

type Block = Writing | Call;

const WRITING_KIND: ReadonlyMap<string, Writing["kind"]> = new Map([
  ["text", "assistant_text"],
  ["text_delta", "assistant_text"],
  ["thinking", "thinking_text"],
  ["thinking_delta", "thinking_text"],
  ["redacted_thinking", "thinking_text"],
]);

type BlockStart = {
  readonly type: string;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
};
type Delta = {
  readonly type: string;
  readonly text?: string | undefined;
  readonly thinking?: string | undefined;
};

/** How many blocks of a message may be open at once: more than a model ever leaves open. */
const MAX_OPEN_BLOCKS = 256;

/** One message under way. */
export class MessageBlocks {
  readonly id: string;
  readonly #parentToolUseId: { readonly parent_tool_use_id?: string };
  readonly #open = new Map<number, Block>();
  /** Where the indices of this stream begin: after the blocks of an earlier stream of the same id. */
  #base = 0;
  #nextIndex = 0;
  /** The model said why it stopped, so a block that no snapshot confirms is whole all the same. */
  #isFinished = false;
  #completeText = "";

  constructor(id: string, parentToolUseId: string | undefined) {
    this.id = id;
    this.#parentToolUseId =
      parentToolUseId === undefined ? {} : { parent_tool_use_id: parentToolUseId };
  }

  /** Begins to stream, perhaps again. */
  restart(): void {
    this.#base = this.#nextIndex;
    this.#isFinished = false;
  }

  /** The event with its index among all blocks of this message; nothing for a block that has ended. */
  placed(event: StreamEvent): StreamEvent | undefined {
    if (!isOfBlock(event)) return event;
    const index = event.index + this.#base;
    const hasEnded = index < this.#nextIndex && !this.#open.has(index);
    if (hasEnded && event.type !== "content_block_stop") return undefined;
    return this.#base === 0 ? event : { ...event, index };
  }

  /**
   * Ends the open block that an event contradicts: one that starts again, or goes on as another kind.
   * What is streamed of it from here on is dropped; a snapshot brings the whole.
   */
  contradict(event: StreamEvent): OutboundDraft[] {
    if (!isOfBlock(event)) return [];
    const index = event.index + this.#base;
    const block = this.#open.get(index);
    if (block === undefined || !isContradicted(block, event)) return [];
    this.#open.delete(index);
    return [this.#abandoned(index, block)];
  }

  /** The tool call whose block a placed event is about. */
  toolUseId(event: StreamEvent): string | undefined {
    const block = isOfBlock(event) ? this.#open.get(event.index) : undefined;
    return block?.kind === "tool_use" ? block.tool_use_id : undefined;
  }

  /** Keeps the books of one placed event; gives the blocks that end with it. */
  track(event: StreamEvent): OutboundDraft[] {
    switch (event.type) {
      case "content_block_start":
        return this.#openBlock(event.index, event.content_block);
      case "content_block_delta":
        return this.#write(event.index, event.delta);
      case "content_block_stop":
        this.#stop(event.index);
        return [];
      case "message_delta":
        this.#isFinished ||= typeof event.delta?.stop_reason === "string";
        return [];
      case "message_stop":
        return this.#isFinished ? this.#completeStopped() : this.abandon();
      case "message_start":
      case "ping":
        return [];
    }
  }

  /** Ends the streamed block that a snapshot confirms, or adds the snapshot as a block of its own. */
  confirm(snapshot: BlockMessage): OutboundDraft[] {
    for (const [index, block] of this.#open) {
      if (!isSame(block, snapshot)) continue;
      this.#open.delete(index);
      const placed = { ...snapshot, block_index: index };
      if (block.kind === "tool_use" || placed.type === "tool_use") return [placed];
      return this.#confirmText(placed, block);
    }
    return [this.#append(snapshot)];
  }

  #confirmText(
    snapshot: Extract<BlockMessage, { text?: unknown }>,
    block: Writing,
  ): OutboundDraft[] {
    const streamed = block.streamed.toString();
    const whole = snapshot.text ?? "";
    // Where Claude corrects what it streamed, the stream is not part of the conversation. One that is
    // not kept might be corrected.
    if (!block.streamed.isWhole || !whole.startsWith(streamed)) {
      return [this.#abandoned(snapshot.block_index, block), this.#append(snapshot)];
    }
    this.#remember(snapshot);
    const text = whole.slice(streamed.length);
    if (text === "") return [snapshot];
    const missed = {
      ...this.#key(snapshot.block_index),
      text,
      is_partial: true,
      status: "partial" as const,
    };
    return [{ type: block.kind, ...missed }, snapshot];
  }

  /** Ends every open block without its text. */
  abandon(): OutboundDraft[] {
    const ended = [...this.#open].map(([index, block]) => this.#abandoned(index, block));
    this.#open.clear();
    return ended;
  }

  /** What this message says so far; of a text that is too long to be kept, how it begins. */
  get text(): string {
    const open = [...this.#open.values()].map((block) =>
      block.kind === "assistant_text" ? block.streamed.toString() : "",
    );
    return (this.#completeText + open.join("")).slice(0, MAX_KEPT_TEXT);
  }

  /** Another message is being written: what this one has said need not be told once more. */
  forgetText(): void {
    this.#completeText = "";
  }

  #openBlock(index: number, { type, id, name }: BlockStart): OutboundDraft[] {
    this.#nextIndex = Math.max(this.#nextIndex, index + 1);
    const kind = WRITING_KIND.get(type);
    if (kind !== undefined)
      this.#open.set(index, { kind, streamed: new StreamedText(), isStopped: false });
    else if (type === "tool_use" && id !== undefined && name !== undefined) {
      this.#open.set(index, { kind: type, tool_use_id: id, tool_name: name });
    }
    return this.#open.size > MAX_OPEN_BLOCKS ? this.#abandonOldest() : [];
  }

  #abandonOldest(): OutboundDraft[] {
    const [oldest] = this.#open;
    if (oldest === undefined) return [];
    this.#open.delete(oldest[0]);
    return [this.#abandoned(...oldest)];
  }

  #write(index: number, delta: Delta): OutboundDraft[] {
    const ended = this.#open.has(index) ? [] : this.#openBlock(index, delta);
    const block = this.#open.get(index);
    const piece = delta.text ?? delta.thinking;
    if (piece !== undefined && block !== undefined && block.kind !== "tool_use")
      block.streamed.add(piece);
    return ended;
  }

  #stop(index: number): void {
    const block = this.#open.get(index);
    if (block !== undefined && block.kind !== "tool_use") block.isStopped = true;
  }

  #append(snapshot: BlockMessage): OutboundDraft {
    const placed = { ...snapshot, block_index: this.#nextIndex };
    this.#nextIndex += 1;
    this.#remember(placed);
    return placed;
  }

  #remember(snapshot: BlockMessage): void {
    if (snapshot.type === "assistant_text") this.#say(snapshot.text ?? "");
  }

  /** Only what the main conversation says may have to be told once more, when its turn is cut off. */
  #say(text: string): void {
    if (this.#parentToolUseId.parent_tool_use_id !== undefined) return;
    if (this.#completeText.length < MAX_KEPT_TEXT) this.#completeText += text;
  }

  /** Blocks that ended well but got no snapshot: empty texts, mostly. */
  #completeStopped(): OutboundDraft[] {
    const ended: OutboundDraft[] = [];
    for (const [index, block] of this.#open) {
      if (block.kind === "tool_use" || !block.isStopped) continue;
      this.#open.delete(index);
      const { isWhole } = block.streamed;
      ended.push(isWhole ? this.#completed(index, block) : this.#abandoned(index, block));
    }
    return ended;
  }

  #completed(index: number, { kind, streamed }: Writing): OutboundDraft {
    const text = streamed.toString();
    if (kind === "assistant_text") this.#say(text);
    return { type: kind, ...this.#key(index), text, is_partial: false, status: "complete" };
  }

  #abandoned(index: number, block: Block): OutboundDraft {
    const key = this.#key(index);
    if (block.kind !== "tool_use") {
      return { type: block.kind, ...key, is_partial: false, status: "abandoned" };
    }
    const { kind, tool_use_id, tool_name } = block;
    return { type: kind, ...key, tool_use_id, tool_name, status: "abandoned" };
  }

  #key(index: number) {
    return { ...this.#parentToolUseId, msg_id: this.id, block_index: index };
  }
}

type BlockEvent = Extract<StreamEvent, { type: `content_block_${string}` }>;

function isOfBlock(event: StreamEvent): event is BlockEvent {
  return event.type.startsWith("content_block_");
}

function isContradicted(block: Block, event: BlockEvent): boolean {
  if (event.type === "content_block_start") return true;
  if (event.type === "content_block_stop") return false;
  const kind = WRITING_KIND.get(event.delta.type);
  return kind !== undefined && kind !== block.kind;
}

function isSame(block: Block, snapshot: BlockMessage): boolean {
  if (block.kind !== snapshot.type) return false;
  return (
    snapshot.type !== "tool_use" ||
    block.kind !== "tool_use" ||
    block.tool_use_id === snapshot.tool_use_id
  );
}
