/**
 * The host's messages that Claude has, each from its hand-over to its final receipt. Which turn one
 * is part of is decided in `turns.ts`. Contract, guarantee 3.
 */

import type { ContentBlock } from "../claude/user-message.ts";
import type { MessageStatus } from "../messages/turn-messages.ts";
import type { OutboundDraft } from "../types.ts";

/** A host message that has been accepted. */
export type QueuedMessage = {
  readonly messageId: string;
  readonly text: string;
  readonly blocks: readonly ContentBlock[];
  /** Characters of text and attachments. */
  readonly size: number;
};

/** A number of messages, and their characters. */
export type Load = { readonly count: number; readonly size: number };

/** One message that Claude has. */
export type InFlightMessage = {
  /** Its content is kept until the host has been told that it started. */
  message: QueuedMessage;
  /** The turn that it is part of, as far as is known. */
  turnId: string | undefined;
  /** What Claude itself has said of it: its echo, or news that say more. */
  confirmedBy: "echo" | "news" | undefined;
  /** The host has been told that it started. */
  isAnnounced: boolean;
  isMerged: boolean;
  /** Why Claude was asked to give it back, if it was. */
  recallReason: string | undefined;
};

export class InFlightMessages {
  readonly #all = new Map<string, InFlightMessage>();

  /** How many there are. */
  get size(): number {
    return this.#all.size;
  }

  /** All of them, the oldest first. */
  get all(): InFlightMessage[] {
    return [...this.#all.values()];
  }

  /** The ones that no turn has begun with, the oldest first. */
  get waiting(): InFlightMessage[] {
    return this.all.filter(({ turnId }) => turnId === undefined);
  }

  /** How much waits. */
  get load(): Load {
    const { waiting } = this;
    return {
      count: waiting.length,
      size: waiting.reduce((sum, { message }) => sum + message.size, 0),
    };
  }

  /** Claude gets this message now. */
  add(message: QueuedMessage): InFlightMessage {
    const handed: InFlightMessage = {
      message,
      turnId: undefined,
      confirmedBy: undefined,
      isAnnounced: false,
      isMerged: false,
      recallReason: undefined,
    };
    this.#all.set(message.messageId, handed);
    return handed;
  }

  get(messageId: string): InFlightMessage | undefined {
    return this.#all.get(messageId);
  }

  /** The ones that a turn is for. */
  of(turnId: string | undefined): InFlightMessage[] {
    if (turnId === undefined) return [];
    return this.all.filter((handed) => handed.turnId === turnId);
  }

  /** Puts a message into a turn; tells the host, once. */
  join(handed: InFlightMessage, turnId: string): OutboundDraft[] {
    handed.isMerged = this.of(turnId).length > 0;
    handed.turnId = turnId;
    if (handed.isAnnounced) return [];
    handed.isAnnounced = true;
    const { messageId: message_id, text, blocks } = handed.message;
    handed.message = withoutContent(handed.message);
    const place = { turn_id: turnId, message_id };
    return [
      { type: "message_status", ...place, status: "started" },
      { type: "user_text", ...place, text, kind: "host", ...contentOf(text, blocks) },
    ];
  }

  /** The final receipt of one. */
  finish(
    { message, turnId, isMerged, recallReason }: InFlightMessage,
    status: MessageStatus["status"],
  ): OutboundDraft {
    this.#all.delete(message.messageId);
    return {
      type: "message_status",
      message_id: message.messageId,
      status,
      ...(turnId !== undefined && { turn_id: turnId }),
      ...(isMerged && { merged: true }),
      ...(status === "cancelled" && recallReason !== undefined && { reason: recallReason }),
    };
  }

  /** The final receipts of all. */
  finishAll(status: MessageStatus["status"]): OutboundDraft[] {
    return this.all.map((handed) => this.finish(handed, status));
  }
}

/** What is still needed of a message that has started: that it is a command, and which. */
function withoutContent({ messageId, text }: QueuedMessage): QueuedMessage {
  return { messageId, text: text.startsWith("/") ? text : "", blocks: [], size: 0 };
}

/** The blocks, where they are more than the text. */
function contentOf(
  text: string,
  blocks: readonly ContentBlock[],
): { content?: Record<string, unknown>[] } {
  const [first, ...others] = blocks;
  const isTextOnly = others.length === 0 && first?.type === "text" && first.text === text;
  return isTextOnly ? {} : { content: blocks.map((block) => ({ ...block })) };
}
