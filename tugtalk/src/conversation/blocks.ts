/**
 * The blocks that are being written, lane by lane. A lane is the main conversation or one subagent;
 * a block is known by its lane, Claude's message id and its index. Sees to it that each streamed
 * block ends exactly once: complete with its whole text, or abandoned. Protocol reference §3b, §11b.
 */

import type { StreamEvent } from "../messages/conversation-lines.ts";
import type { BlockMessage } from "../routing/block-messages.ts";
import { mapStreamEvent } from "../routing/stream-events.ts";
import type { OutboundDraft } from "../types.ts";
import { MessageBlocks } from "./message-blocks.ts";

/** The tool call whose subagent a lane is; undefined for the main conversation. */
export type ParentToolUseId = string | undefined;

/** How many messages of a lane, and lanes, are remembered: more than are ever written at once. */
const REMEMBERED_MESSAGES = 16;
const REMEMBERED_LANES = 256;

type LaneState = {
  streaming: MessageBlocks | undefined;
  readonly messages: Map<string, MessageBlocks>;
};

/** All that is being written in one process. */
export class Blocks {
  readonly #lanes = new Map<ParentToolUseId, LaneState>();

  /** Takes one stream event; gives what it means and what it ends. */
  stream(event: StreamEvent, parentToolUseId: ParentToolUseId): OutboundDraft[] {
    const state = this.#parentToolUseId(parentToolUseId);
    if (event.type === "message_start")
      return startMessage(state, event.message.id, parentToolUseId);
    const message = state.streaming;
    if (message === undefined) return [];
    const contradicted = message.contradict(event);
    const placed = message.placed(event);
    if (placed === undefined) return contradicted;
    const tool_use_id = message.toolUseId(placed);
    const place = { msg_id: message.id, parent_tool_use_id: parentToolUseId, tool_use_id };
    const { messages } = mapStreamEvent(placed, place);
    const ended = message.track(placed);
    return ended.length === 0 ? [...messages] : [...messages, ...ended];
  }

  /** Takes one snapshot; gives it its true index and ends the streamed block that it confirms. */
  place(snapshot: BlockMessage, parentToolUseId: ParentToolUseId): OutboundDraft[] {
    const state = this.#parentToolUseId(parentToolUseId);
    const isOther = state.streaming !== undefined && state.streaming.id !== snapshot.msg_id;
    // An answer under another id means that the stream broke and was not taken up again (§11b).
    const abandoned = isOther ? closeStream(state) : [];
    return [...abandoned, ...remembered(state, snapshot.msg_id, parentToolUseId).confirm(snapshot)];
  }

  /** Ends what is open in every lane but those that outlive the turn: no snapshot will come any more. */
  abandon(outlives: (parentToolUseId: ParentToolUseId) => boolean = () => false): OutboundDraft[] {
    return [...this.#lanes].flatMap(([parentToolUseId, state]) =>
      outlives(parentToolUseId) ? [] : closeStream(state),
    );
  }

  /** The text of the message that the main conversation is writing. */
  get openText(): string {
    return this.#lanes.get(undefined)?.streaming?.text ?? "";
  }

  #parentToolUseId(parentToolUseId: ParentToolUseId): LaneState {
    const known = this.#lanes.get(parentToolUseId);
    if (known !== undefined) return known;
    const state: LaneState = { streaming: undefined, messages: new Map() };
    this.#lanes.set(parentToolUseId, state);
    forgetOldest(this.#lanes, REMEMBERED_LANES);
    return state;
  }
}

function startMessage(
  state: LaneState,
  id: string,
  parentToolUseId: ParentToolUseId,
): OutboundDraft[] {
  const abandoned = closeStream(state);
  state.streaming = remembered(state, id, parentToolUseId);
  state.streaming.restart();
  return abandoned;
}

function closeStream(state: LaneState): OutboundDraft[] {
  const message = state.streaming;
  state.streaming = undefined;
  return message?.abandon() ?? [];
}

function remembered(
  { messages }: LaneState,
  id: string,
  parentToolUseId: ParentToolUseId,
): MessageBlocks {
  const known = messages.get(id);
  if (known !== undefined) return known;
  for (const earlier of messages.values()) earlier.forgetText();
  const message = new MessageBlocks(id, parentToolUseId);
  messages.set(id, message);
  forgetOldest(messages, REMEMBERED_MESSAGES);
  return message;
}

/** Drops the oldest entries over the limit; the main conversation, which has no key, stays. */
function forgetOldest(map: Map<string | undefined, unknown>, limit: number): void {
  for (const key of map.keys()) {
    if (map.size <= limit) return;
    if (key !== undefined) map.delete(key);
  }
}
