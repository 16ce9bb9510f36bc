/**
 * Which blocks the host was told of under which of Claude's uuids, for when Claude takes them back:
 * an `assistant` line that supersedes others, or a refusal that is answered by another model.
 */

import type { MessageRetracted } from "../messages/content-messages.ts";
import { isBlockMessage } from "../routing/block-messages.ts";
import type { OutboundDraft } from "../types.ts";
import type { ParentToolUseId } from "./blocks.ts";

/** Lines that are remembered: more than one answer with all its tools ever has. */
const REMEMBERED_LINES = 1024;

type Retraction = Extract<OutboundDraft, { type: "message_retracted" }>;

/** What is taken back, and where it was told. */
export type Retracted = { readonly message: Retraction; readonly parentToolUseId: ParentToolUseId };

type EmittedBlock = {
  readonly msg_id: string;
  readonly block_index: number;
  readonly parentToolUseId: ParentToolUseId;
};

/** The blocks of the newest lines of one process. */
export class EmittedBlocks {
  readonly #lines = new Map<string, readonly EmittedBlock[]>();

  /** Keeps which of the messages that a line led to are whole blocks. */
  remember(
    uuid: string | undefined,
    messages: readonly OutboundDraft[],
    parentToolUseId: ParentToolUseId,
  ): void {
    const blocks = messages.flatMap((message) =>
      isBlockMessage(message) && message.status === "complete"
        ? [{ msg_id: message.msg_id, block_index: message.block_index, parentToolUseId }]
        : [],
    );
    if (uuid === undefined || blocks.length === 0) return;
    this.#lines.set(uuid, blocks);
    for (const oldest of this.#lines.keys()) {
      if (this.#lines.size <= REMEMBERED_LINES) return;
      this.#lines.delete(oldest);
    }
  }

  /** Takes back what was told of these lines, once; what was never told needs no word. */
  retract(uuids: readonly string[], reason: MessageRetracted["reason"]): Retracted[] {
    return uuids.flatMap((uuid) => {
      const blocks = this.#lines.get(uuid) ?? [];
      this.#lines.delete(uuid);
      return blocks.map(({ parentToolUseId, ...key }) => ({
        message: { type: "message_retracted" as const, ...key, reason },
        parentToolUseId,
      }));
    });
  }
}
