/**
 * The host's messages that Claude has not got yet, and the checks that a message must pass to be
 * among them. Bounded in number and in bytes. Contract: `user_message`, guarantee 3.
 */

import { BoundedSet } from "../base/bounded-map.ts";
import { buildContent } from "../claude/user-message.ts";
import type { Load, QueuedMessage } from "../conversation/in-flight-messages.ts";
import type { ErrorCode } from "../messages/errors.ts";
import type { UserMessageInput } from "../types.ts";

/** The most that waiting messages may hold together, in characters: one line of the largest size. */
export const MAX_QUEUED_CHARACTERS = 64 * 1024 * 1024;

/** Ids that are remembered, to refuse one that was used: Claude drops such a message without a word. */
const REMEMBERED_IDS = 65_536;

/** Why a message was not taken. */
export type Rejection = {
  readonly code: ErrorCode;
  readonly message: string;
};

type Waiting = QueuedMessage & { readonly isReplaceable: boolean };

export class MessageQueue {
  readonly #waiting: Waiting[] = [];
  readonly #used = new BoundedSet<string>(REMEMBERED_IDS);
  #size = 0;

  /** How many messages wait. */
  get length(): number {
    return this.#waiting.length;
  }

  /** The ids of the messages that wait, the oldest first. */
  get ids(): string[] {
    return this.#waiting.map(({ messageId }) => messageId);
  }

  /**
   * Takes a message in, under the id given. Otherwise says why not, and nothing has changed.
   * `underway` is what Claude has been given and has not begun: it counts as waiting.
   */
  accept(
    input: UserMessageInput,
    messageId: string,
    maxQueued: number,
    underway: Load = { count: 0, size: 0 },
  ): Rejection | undefined {
    if (this.#used.has(messageId)) {
      return {
        code: "message_rejected",
        message: `message id ${messageId} was used before`,
      };
    }
    const count = this.#waiting.length + underway.count;
    if (count >= maxQueued)
      return { code: "queue_full", message: `${count} messages wait already` };
    const content = buildContent(input.text, input.attachments);
    if ("rejected" in content) return { code: "attachment_rejected", message: content.rejected };
    if (input.text === "" && (input.attachments ?? []).length === 0) {
      return { code: "message_rejected", message: "the message is empty" };
    }
    const size = sizeOf(input);
    const isReplaceable = input.delivery === "replace";
    if (this.#size + underway.size + size > MAX_QUEUED_CHARACTERS) {
      return {
        code: "queue_full",
        message: `${this.#size + underway.size} characters wait already`,
      };
    }
    this.#push({ messageId, text: input.text, blocks: content.blocks, size, isReplaceable });
    return undefined;
  }

  /** The newest message, to be handed over before those that came earlier. */
  pop(): QueuedMessage | undefined {
    const newest = this.#waiting.pop();
    this.#size -= newest?.size ?? 0;
    return newest;
  }

  /** The oldest message, to be handed over now. */
  shift(): QueuedMessage | undefined {
    const next = this.#waiting.shift();
    this.#size -= next?.size ?? 0;
    return next;
  }

  /** The id of the message that the next one like it replaces. */
  get replaceable(): string | undefined {
    return this.#waiting.find(({ isReplaceable }) => isReplaceable)?.messageId;
  }

  /** Drops one message. False: it does not wait. */
  drop(messageId: string): boolean {
    const at = this.#waiting.findIndex((waiting) => waiting.messageId === messageId);
    const [dropped] = at === -1 ? [] : this.#waiting.splice(at, 1);
    this.#size -= dropped?.size ?? 0;
    return dropped !== undefined;
  }

  /** Whether this id was ever given to a message, as far back as ids are remembered. */
  knows(messageId: string): boolean {
    return this.#used.has(messageId);
  }

  /** Drops every message; gives their ids. */
  clear(): string[] {
    const { ids } = this;
    this.#waiting.length = 0;
    this.#size = 0;
    return ids;
  }

  #push(message: Waiting): void {
    this.#used.add(message.messageId);
    this.#size += message.size;
    this.#waiting.push(message);
  }
}

function sizeOf({ text, attachments = [] }: UserMessageInput): number {
  return attachments.reduce((size, { content }) => size + content.length, text.length);
}
