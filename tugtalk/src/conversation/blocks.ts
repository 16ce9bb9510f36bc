/**
 * The blocks that are being written, for each agent: the main conversation or a subagent. A block is
 * identified by its agent, Claude's message id and its index. Each streamed block ends exactly once:
 * complete with its whole text, or abandoned. Protocol reference §3b, §11b.
 */

import { BoundedMap } from "../base/bounded-map.ts";
import type { StreamEvent } from "../messages/conversation-lines.ts";
import type { BlockMessage } from "../routing/block-messages.ts";
import type { ParentToolUseId } from "../routing/parent-tool-use-id.ts";
import type { OutboundDraft } from "../types.ts";
import { type BlockDelta, MessageBlocks } from "./message-blocks.ts";

type MessageComplete = Extract<OutboundDraft, { type: "message_complete" }>;

/** How many messages of an agent, and subagents without an open block, are kept. */
const KEPT_MESSAGES = 16;
const KEPT_SUBAGENTS = 256;

/** The blocks of one process. */
export class Blocks {
  readonly #main = new AgentBlocks(undefined);
  readonly #subagents = new Map<string, AgentBlocks>();

  /** Takes one stream event: returns its messages, then the blocks that it ends. */
  stream(event: StreamEvent, parentToolUseId: ParentToolUseId): readonly OutboundDraft[] {
    return this.#of(parentToolUseId).stream(event);
  }

  /** Takes a delta that differs from the last one in its text only. */
  repeat(event: BlockDelta, parentToolUseId: ParentToolUseId): void {
    this.#of(parentToolUseId).repeat(event);
  }

  /** Takes one snapshot: sets its index, and ends the streamed block that it confirms. */
  confirm(snapshot: BlockMessage): OutboundDraft[] {
    return this.#of(snapshot.parent_tool_use_id).confirm(snapshot);
  }

  /** Takes the stop reason of a message that came whole: returns it, unless the host has it already. */
  complete({ msg_id, parent_tool_use_id, stop_reason }: MessageComplete): OutboundDraft[] {
    return this.#of(parent_tool_use_id).complete(msg_id, stop_reason);
  }

  /** Ends the open blocks, which get no snapshot any more, of all agents but those that `outlives` names. */
  abandon(outlives: (parentToolUseId: ParentToolUseId) => boolean = () => false): OutboundDraft[] {
    return [this.#main, ...this.#subagents.values()].flatMap((agent) =>
      outlives(agent.parentToolUseId) ? [] : agent.abandon(),
    );
  }

  /** The text of the current message of the main conversation. */
  get openText(): string {
    return this.#main.text;
  }

  #of(parentToolUseId: ParentToolUseId): AgentBlocks {
    if (parentToolUseId === undefined) return this.#main;
    const known = this.#subagents.get(parentToolUseId);
    if (known !== undefined) return known;
    this.#makeRoom();
    const agent = new AgentBlocks(parentToolUseId);
    this.#subagents.set(parentToolUseId, agent);
    return agent;
  }

  /** Drops the oldest subagents, but none with an open block: each block must end. */
  #makeRoom(): void {
    for (const [id, agent] of this.#subagents) {
      if (this.#subagents.size < KEPT_SUBAGENTS) return;
      if (!agent.isOpen) this.#subagents.delete(id);
    }
  }
}

/** The blocks of one agent. */
class AgentBlocks {
  readonly parentToolUseId: ParentToolUseId;
  readonly #messages = new BoundedMap<string, MessageBlocks>(KEPT_MESSAGES);
  #streaming: MessageBlocks | undefined;
  /** The stream that a snapshot of another message has broken. Its stop reason may still come. */
  #broken: MessageBlocks | undefined;

  constructor(parentToolUseId: ParentToolUseId) {
    this.parentToolUseId = parentToolUseId;
  }

  get isOpen(): boolean {
    return this.#streaming?.isOpen === true;
  }

  get text(): string {
    return this.#streaming?.text ?? "";
  }

  stream(event: StreamEvent): readonly OutboundDraft[] {
    if (event.type !== "message_start") return this.#continue(event);
    const abandoned = this.abandon();
    this.#streaming = this.#message(event.message.id);
    this.#streaming.restart();
    return abandoned;
  }

  #continue(event: StreamEvent): readonly OutboundDraft[] {
    if (this.#streaming !== undefined) return this.#streaming.stream(event);
    const isEnd = event.type === "message_delta" || event.type === "message_stop";
    return isEnd ? (this.#broken?.stream(event) ?? []) : [];
  }

  repeat(event: BlockDelta): void {
    this.#streaming?.repeat(event);
  }

  complete(id: string, stopReason: string): OutboundDraft[] {
    return this.#message(id).complete(stopReason);
  }

  confirm(snapshot: BlockMessage): OutboundDraft[] {
    // A snapshot with another id means that the stream broke and does not continue (§11b).
    const broken = this.#streaming?.id === snapshot.msg_id ? undefined : this.#streaming;
    const abandoned = broken === undefined ? [] : this.abandon();
    this.#broken ??= broken;
    return [...abandoned, ...this.#message(snapshot.msg_id).confirm(snapshot)];
  }

  abandon(): OutboundDraft[] {
    const message = this.#streaming;
    this.#streaming = undefined;
    this.#broken = undefined;
    return message?.abandon() ?? [];
  }

  #message(id: string): MessageBlocks {
    const known = this.#messages.get(id);
    if (known !== undefined) return known;
    for (const earlier of this.#messages.values()) earlier.forgetText();
    const message = new MessageBlocks(id, this.parentToolUseId);
    this.#messages.set(id, message);
    return message;
  }
}
