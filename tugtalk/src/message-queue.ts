/**
 * The host's messages that Claude has not got yet, and the checks that a message must pass to be
 * among them. Bounded in number and in bytes. Contract: `user_message`, guarantee 3.
 */
import type { ErrorCode } from "./errors.ts";
import { RecentIds } from "./recent-ids.ts";
import type { QueuedMessage } from "./turns.ts";
import type { UserMessageInput } from "./types.ts";
import { buildContent } from "./user-message.ts";

/** The most that waiting messages may hold together, in characters: one line of the largest size. */
export const MAX_QUEUED_CHARACTERS = 64 * 1024 * 1024;

/** Ids that are remembered, to refuse one that was used: Claude drops such a message without a word. */
const REMEMBERED_IDS = 65_536;

/** Why a message was not taken. */
export type Rejection = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly isRepeat?: boolean;
};

type Waiting = QueuedMessage & { readonly size: number };

export class MessageQueue {
  readonly #waiting: Waiting[] = [];
  readonly #used = new RecentIds(REMEMBERED_IDS);
  #size = 0;

  /** How many messages wait. */
  get length(): number {
    return this.#waiting.length;
  }

  /** The ids of the messages that wait, the oldest first. */
  get ids(): string[] {
    return this.#waiting.map(({ messageId }) => messageId);
  }

  /** Takes a message in, under the id given. Otherwise says why not, and nothing has changed. */
  accept(input: UserMessageInput, messageId: string, maxQueued: number): Rejection | undefined {
    if (this.#used.has(messageId)) {
      return {
        code: "message_rejected",
        message: `message id ${messageId} was used before`,
        isRepeat: true,
      };
    }
    if (this.#waiting.length >= maxQueued) {
      return { code: "queue_full", message: `${this.#waiting.length} messages wait already` };
    }
    const content = buildContent(input.text, input.attachments);
    if ("rejected" in content) return { code: "attachment_rejected", message: content.rejected };
    if (input.text === "" && content.blocks.length === 1 && content.blocks[0]?.type === "text") {
      return { code: "message_rejected", message: "the message is empty" };
    }
    return this.#push({ messageId, text: input.text, blocks: content.blocks, size: sizeOf(input) });
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

  /** Drops every message; gives their ids. */
  clear(): string[] {
    const { ids } = this;
    this.#waiting.length = 0;
    this.#size = 0;
    return ids;
  }

  #push(message: Waiting): Rejection | undefined {
    if (this.#size + message.size > MAX_QUEUED_CHARACTERS) {
      return { code: "queue_full", message: `${this.#size} characters wait already` };
    }
    this.#used.add(message.messageId);
    this.#size += message.size;
    this.#waiting.push(message);
    return undefined;
  }
}

function sizeOf({ text, attachments = [] }: UserMessageInput): number {
  return attachments.reduce((size, { content }) => size + content.length, text.length);
}
