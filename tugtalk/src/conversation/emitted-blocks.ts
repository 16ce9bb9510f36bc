/**
 * The whole blocks that were emitted for each of Claude's uuids. Claude may retract them by an
 * `assistant` line that supersedes others, or by a refusal after which another model answers.
 */
import { BoundedMap } from "../base/bounded-map.ts";
import type { MessageRetracted } from "../messages/content-messages.ts";
import { type BlockMessage, isBlockMessage } from "../routing/block-messages.ts";
import type { OutboundDraft } from "../types.ts";

/** Lines that are kept: one answer with all its tools has far fewer. */
const KEPT_LINES = 1024;

type Retraction = Extract<OutboundDraft, { type: "message_retracted" }>;

/** The blocks of the newest lines of one process. */
export class EmittedBlocks {
  readonly #lines = new BoundedMap<string, readonly Omit<Retraction, "reason">[]>(KEPT_LINES);

  /** Keeps the whole blocks among the messages that a line led to. */
  remember(uuid: string | undefined, messages: readonly OutboundDraft[]): void {
    if (uuid === undefined) return;
    const blocks: Omit<Retraction, "reason">[] = [];
    for (const message of messages)
      if (isBlockMessage(message) && message.status === "complete") blocks.push(keyOf(message));
    if (blocks.length > 0) this.#lines.set(uuid, blocks);
  }

  /** Retracts the blocks of these lines, each once. Ignores lines without emitted blocks. */
  retract(uuids: readonly string[], reason: MessageRetracted["reason"]): Retraction[] {
    return uuids.flatMap((uuid) => {
      const blocks = this.#lines.get(uuid) ?? [];
      this.#lines.delete(uuid);
      return blocks.map((block) => ({ ...block, reason }));
    });
  }
}

function keyOf({ msg_id, block_index, parent_tool_use_id }: BlockMessage) {
  const parent = parent_tool_use_id !== undefined && { parent_tool_use_id };
  return { type: "message_retracted" as const, msg_id, block_index, ...parent };
}
