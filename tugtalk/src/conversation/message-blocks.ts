/**
 * The blocks of one message of Claude's: which are open, which index comes next, and how each ends.
 * `blocks.ts` keeps one of these for each message of each agent.
 */

import type { StreamEvent } from "../messages/conversation-lines.ts";
import type { BlockMessage } from "../routing/block-messages.ts";
import type { ParentToolUseId } from "../routing/parent-tool-use-id.ts";
import { mapStreamEvent, type StreamContext } from "../routing/stream-events.ts";
import type { OutboundDraft } from "../types.ts";
import { MAX_KEPT_TEXT, StreamedText } from "./streamed-text.ts";

type TextBlock = {
  readonly kind: "assistant_text" | "thinking_text";
  readonly streamed: StreamedText;
  isStopped: boolean;
};

type ToolUseBlock = {
  readonly kind: "tool_use";
  readonly tool_use_id: string;
  readonly tool_name: string;
};

type Block = TextBlock | ToolUseBlock;

/** The types of blocks and deltas that hold text. */
const TEXT_KIND: ReadonlyMap<string, TextBlock["kind"]> = new Map([
  ["text", "assistant_text"],
  ["text_delta", "assistant_text"],
  ["thinking", "thinking_text"],
  ["thinking_delta", "thinking_text"],
  ["redacted_thinking", "thinking_text"],
]);

type BlockStart = Extract<StreamEvent, { type: "content_block_start" }>;
export type BlockDelta = Extract<StreamEvent, { type: "content_block_delta" }>;

/** How many blocks of a message may be open at once. A model leaves far fewer open. */
const MAX_OPEN_BLOCKS = 256;

export class MessageBlocks {
  readonly id: string;
  readonly #context: StreamContext;
  readonly #open = new Map<number, Block>();
  /** The first index of the current stream: it follows the blocks of earlier streams with this id. */
  #base = 0;
  #nextIndex = 0;
  #isStreamed = false;
  /** The stream has one, so a block without a snapshot is complete all the same. */
  #stopReason: string | undefined;
  /** A message that came whole has one on each of its lines. */
  #hasStopReasonEmitted = false;
  #completeText = "";

  constructor(id: string, parentToolUseId: ParentToolUseId) {
    this.id = id;
    const parent = parentToolUseId !== undefined && { parent_tool_use_id: parentToolUseId };
    this.#context = { ...parent, msg_id: id };
  }

  /** A stream of this message starts. A message may be streamed more than once. */
  restart(): void {
    this.#base = this.#nextIndex;
    this.#isStreamed = true;
    this.#stopReason = undefined;
  }

  /** Takes one event of the stream: returns its messages, then the blocks that it ends. */
  stream(event: StreamEvent): readonly OutboundDraft[] {
    switch (event.type) {
      case "content_block_start":
      case "content_block_delta":
        return this.#write(
          this.#base === 0 ? event : { ...event, index: event.index + this.#base },
        );
      case "content_block_stop":
        this.#stop(event.index + this.#base);
        return [];
      case "message_delta":
        this.#stopReason ??= event.delta?.stop_reason ?? undefined;
        return [];
      case "message_stop":
        return this.#stopReason === undefined
          ? this.abandon()
          : [...this.#completeStopped(), this.#complete(this.#stopReason)];
      case "message_start":
      case "ping":
        return [];
    }
  }

  /** Takes a delta that differs from the last one in its text only. */
  repeat(event: BlockDelta): void {
    keepText(event, this.#open.get(event.index + this.#base));
  }

  /** Ends the streamed block that a snapshot confirms, or adds the snapshot as a block of its own. */
  confirm(snapshot: BlockMessage): OutboundDraft[] {
    const same = [...this.#open].filter(([, block]) => isSame(block, snapshot));
    // A snapshot comes before the stop of its block. An empty block has none.
    const confirmed = same.find(([, block]) => !hasStopped(block)) ?? same[0];
    return confirmed === undefined
      ? [this.#append(snapshot)]
      : this.#confirmOpen(...confirmed, snapshot);
  }

  /** Ends a message that came whole. The stream of any other one ends it. */
  complete(stopReason: string): OutboundDraft[] {
    if (this.#isStreamed || this.#hasStopReasonEmitted) return [];
    this.#hasStopReasonEmitted = true;
    return [this.#complete(stopReason)];
  }

  #complete(stop_reason: string): OutboundDraft {
    return { type: "message_complete", ...this.#context, stop_reason };
  }

  #confirmOpen(index: number, block: Block, snapshot: BlockMessage): OutboundDraft[] {
    this.#open.delete(index);
    const indexed = { ...snapshot, block_index: index };
    return block.kind === "tool_use" || indexed.type === "tool_use"
      ? [indexed]
      : this.#confirmText(indexed, block);
  }

  /** Ends every open block without its text. */
  abandon(): OutboundDraft[] {
    return [...this.#open].map(([index, block]) => this.#abandon(index, block));
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** The text of this message so far, up to `MAX_KEPT_TEXT` characters. */
  get text(): string {
    const open = [...this.#open.values()].map((block) =>
      block.kind === "assistant_text" ? block.streamed.toString() : "",
    );
    return (this.#completeText + open.join("")).slice(0, MAX_KEPT_TEXT);
  }

  /** Frees the text of complete blocks, once another message is current. */
  forgetText(): void {
    this.#completeText = "";
  }

  #write(event: BlockStart | BlockDelta): readonly OutboundDraft[] {
    const { index } = event;
    const open = this.#open.get(index);
    const hasEnded = open === undefined && index < this.#nextIndex;
    if (hasEnded) return [];
    // The rest of a contradicted block is dropped; a snapshot has all of it.
    if (open !== undefined && isContradicted(open, event)) return [this.#abandon(index, open)];
    const ended = open === undefined ? this.#openBlock(event) : [];
    const block = open ?? this.#open.get(index);
    const messages = mapStreamEvent(event, this.#contextOf(block));
    if (event.type === "content_block_delta") keepText(event, block);
    return ended.length === 0 ? messages : [...messages, ...ended];
  }

  #contextOf(block: Block | undefined): StreamContext {
    return block?.kind === "tool_use"
      ? { ...this.#context, tool_use_id: block.tool_use_id }
      : this.#context;
  }

  #openBlock(event: BlockStart | BlockDelta): OutboundDraft[] {
    const { index } = event;
    this.#nextIndex = Math.max(this.#nextIndex, index + 1);
    const isStart = event.type === "content_block_start";
    const block = isStart ? newBlock(event.content_block) : newTextBlock(event.delta.type);
    if (block !== undefined) this.#open.set(index, block);
    if (this.#open.size <= MAX_OPEN_BLOCKS) return [];
    const [oldest] = this.#open;
    return oldest === undefined ? [] : [this.#abandon(...oldest)];
  }

  #stop(index: number): void {
    const block = this.#open.get(index);
    if (block !== undefined && block.kind !== "tool_use") block.isStopped = true;
  }

  #confirmText(snapshot: Exclude<BlockMessage, { type: "tool_use" }>, block: TextBlock) {
    const { block_index: index, text: whole = "" } = snapshot;
    const missed = block.streamed.restOf(whole);
    // A snapshot may correct the stream.
    if (missed === undefined) return [this.#abandon(index, block), this.#append(snapshot)];
    this.#keepText(snapshot);
    return missed === "" ? [snapshot] : [this.#textMessage(index, block, missed, true), snapshot];
  }

  #append(snapshot: BlockMessage): OutboundDraft {
    const indexed = { ...snapshot, block_index: this.#nextIndex };
    this.#nextIndex += 1;
    this.#keepText(indexed);
    return indexed;
  }

  /** Completes the blocks that stopped without a snapshot: mostly empty texts. */
  #completeStopped(): OutboundDraft[] {
    return [...this.#open].flatMap(([index, block]): OutboundDraft[] => {
      if (block.kind === "tool_use" || !block.isStopped) return [];
      if (!block.streamed.isWhole) return [this.#abandon(index, block)];
      this.#open.delete(index);
      const message = this.#textMessage(index, block, block.streamed.toString(), false);
      this.#keepText(message);
      return [message];
    });
  }

  /** Keeps the text of a complete block. A turn that is cut off repeats the text of the main conversation. */
  #keepText(message: BlockMessage): void {
    if (message.type !== "assistant_text" || this.#context.parent_tool_use_id !== undefined) return;
    if (this.#completeText.length < MAX_KEPT_TEXT) this.#completeText += message.text ?? "";
  }

  #textMessage(index: number, { kind }: TextBlock, text: string, is_partial: boolean) {
    const status = is_partial ? ("partial" as const) : ("complete" as const);
    return { type: kind, ...this.#key(index), text, is_partial, status };
  }

  #abandon(index: number, block: Block): OutboundDraft {
    this.#open.delete(index);
    const key = this.#key(index);
    if (block.kind !== "tool_use")
      return { type: block.kind, ...key, is_partial: false, status: "abandoned" };
    const { kind, tool_use_id, tool_name } = block;
    return { type: kind, ...key, tool_use_id, tool_name, status: "abandoned" };
  }

  #key(block_index: number) {
    return { ...this.#context, block_index };
  }
}

function newBlock({ type, id, name }: BlockStart["content_block"]): Block | undefined {
  const isToolUse = type === "tool_use" && id !== undefined && name !== undefined;
  return isToolUse ? { kind: type, tool_use_id: id, tool_name: name } : newTextBlock(type);
}

function newTextBlock(type: string): TextBlock | undefined {
  const kind = TEXT_KIND.get(type);
  return kind && { kind, streamed: new StreamedText(), isStopped: false };
}

function keepText({ delta }: BlockDelta, block: Block | undefined): void {
  if (block !== undefined && block.kind !== "tool_use")
    block.streamed.add(delta.text ?? delta.thinking ?? "");
}

/** Whether an open block starts again, or continues as another kind. */
function isContradicted(block: Block, event: BlockStart | BlockDelta): boolean {
  if (event.type === "content_block_start") return true;
  const kind = TEXT_KIND.get(event.delta.type);
  return kind !== undefined && kind !== block.kind;
}

function hasStopped(block: Block): boolean {
  return block.kind !== "tool_use" && block.isStopped;
}

function isSame(block: Block, snapshot: BlockMessage): boolean {
  if (block.kind === "tool_use" && snapshot.type === "tool_use")
    return block.tool_use_id === snapshot.tool_use_id;
  return block.kind === snapshot.type;
}
