/**
 * The messages of the host that Claude has, each from its delivery to its final receipt. `turns.ts`
 * decides which turn one is part of. Contract, guarantee 3.
 */

import type { ContentBlock } from "../claude/user-message.ts";
import { definedFields } from "../messages/envelope.ts";
import type { MessageStatus } from "../messages/turn-messages.ts";
import type { OutboundDraft } from "../types.ts";

/** A message of the host that has been accepted. */
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
  /** Its content is dropped once the message has started. */
  message: QueuedMessage;
  /** The turn that it is part of, as far as is known. */
  turnId?: string | undefined;
  /** How Claude confirmed it: by its echo, or by a notification, which says more. */
  confirmedBy?: "echo" | "notification";
  /** Its start has been emitted. */
  isAnnounced: boolean;
  isMerged: boolean;
  /** Why Claude was asked to return it, if it was. */
  recallReason?: string;
};

/** All lists are in the order of delivery. */
export class InFlightMessages {
  readonly #all = new Map<string, InFlightMessage>();

  get size(): number {
    return this.#all.size;
  }

  get all(): InFlightMessage[] {
    return [...this.#all.values()];
  }

  /** The ones without a turn. */
  get waiting(): InFlightMessage[] {
    return this.all.filter(({ turnId }) => turnId === undefined);
  }

  /** Claude gets this message. */
  add(message: QueuedMessage): InFlightMessage {
    const entry: InFlightMessage = { message, isAnnounced: false, isMerged: false };
    this.#all.set(message.messageId, entry);
    return entry;
  }

  get(messageId: string): InFlightMessage | undefined {
    return this.#all.get(messageId);
  }

  /** The ones that a turn is for. */
  of(turnId: string | undefined): InFlightMessage[] {
    return turnId === undefined ? [] : this.all.filter((entry) => entry.turnId === turnId);
  }

  idsOf(turnId: string | undefined): string[] {
    return this.of(turnId).map(({ message }) => message.messageId);
  }

  /** Makes a message part of a turn. Its start is emitted once, also if it joins another turn later. */
  join(entry: InFlightMessage, turnId: string): OutboundDraft[] {
    entry.isMerged = this.of(turnId).length > 0;
    entry.turnId = turnId;
    if (entry.isAnnounced) return [];
    entry.isAnnounced = true;
    const { message } = entry;
    entry.message = withoutContent(message);
    const key = { turn_id: turnId, message_id: message.messageId };
    return [
      { type: "message_status", ...key, status: "started" },
      { type: "user_text", ...key, text: message.text, kind: "host", ...contentOf(message) },
    ];
  }

  /** The final receipts of some. */
  finish(status: MessageStatus["status"], ...entries: InFlightMessage[]): OutboundDraft[] {
    return entries.map(({ message: { messageId }, turnId, isMerged, recallReason }) => {
      this.#all.delete(messageId);
      return definedFields({
        type: "message_status" as const,
        message_id: messageId,
        status,
        turn_id: turnId,
        merged: isMerged || undefined,
        reason: status === "cancelled" ? recallReason : undefined,
      });
    });
  }
}

/** Keeps only the text of a command, by which it is recognised. */
function withoutContent({ messageId, text }: QueuedMessage): QueuedMessage {
  return { messageId, text: text.startsWith("/") ? text : "", blocks: [], size: 0 };
}

/** The blocks, if they are more than the text. */
function contentOf({ text, blocks }: QueuedMessage): { content?: Record<string, unknown>[] } {
  const [first, ...others] = blocks;
  const isTextOnly = others.length === 0 && first?.type === "text" && first.text === text;
  return isTextOnly ? {} : { content: blocks.map((block) => ({ ...block })) };
}
