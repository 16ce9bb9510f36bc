/**
 * The host's messages that Claude does not have yet, the checks before a message is queued, and the
 * receipts of messages that are queued, rejected or cancelled here. Contract: `user_message`, guarantee 3.
 */

import { BoundedSet } from "../base/bounded-map.ts";
import { buildContent } from "../claude/user-message.ts";
import type { Load, QueuedMessage } from "../conversation/in-flight-messages.ts";
import { replyTo } from "../messages/envelope.ts";
import type { ErrorCode } from "../messages/error-message.ts";
import { errorMessage } from "../messages/errors.ts";
import type { MessageStatus } from "../messages/turn-messages.ts";
import type { UserMessageInput } from "../messages/user-messages.ts";
import type { OutboundDraft } from "../types.ts";

/** The most characters of queued messages: one line of the largest size. */
export const MAX_QUEUED_CHARACTERS = 64 * 1024 * 1024;

/** How many used ids are remembered, to reject them: Claude drops a message with a used id silently. */
const REMEMBERED_IDS = 65_536;

/** Why a message is not queued. */
export type Rejection = {
  readonly code: ErrorCode;
  readonly message: string;
};

type Queued = QueuedMessage & { readonly isReplaceable: boolean };

export class MessageQueue {
  readonly #emit: (message: OutboundDraft) => void;
  readonly #queued: Queued[] = [];
  readonly #used = new BoundedSet<string>(REMEMBERED_IDS);
  #size = 0;
  /** The latest message that is to be delivered now. It is the first in the queue as long as it waits. */
  #urgent: Queued | undefined;

  constructor(emit: (message: OutboundDraft) => void) {
    this.#emit = emit;
  }

  get length(): number {
    return this.#queued.length;
  }

  /** The first message is to be delivered now: the open turn is to end for it. */
  get isUrgent(): boolean {
    return this.#urgent !== undefined && this.#queued[0] === this.#urgent;
  }

  /** The ids of the queued messages, in the order in which they are delivered. */
  get ids(): string[] {
    return this.#queued.map(({ messageId }) => messageId);
  }

  /**
   * Queues a message under this id, or returns why not. `inFlight` are the messages that Claude has and has
   * not begun: they count as queued. The message that a `replace` replaces does not count.
   */
  accept(
    input: UserMessageInput,
    messageId: string,
    maxQueued: number,
    inFlight: Load = { count: 0, size: 0 },
  ): Rejection | undefined {
    const { text, attachments = [] } = input;
    if (this.#used.has(messageId))
      return { code: "message_rejected", message: `message id ${messageId} was used before` };
    const isReplaceable = input.delivery === "replace";
    const replaced = isReplaceable
      ? this.#queued.find((queued) => queued.isReplaceable)
      : undefined;
    const count = this.#queued.length + inFlight.count - (replaced === undefined ? 0 : 1);
    if (count >= maxQueued)
      return { code: "queue_full", message: `${count} messages wait already` };
    const content = buildContent(text, attachments);
    if ("rejected" in content) return { code: "attachment_rejected", message: content.rejected };
    if (text === "" && attachments.length === 0)
      return { code: "message_rejected", message: "the message is empty" };
    const size = attachments.reduce((sum, { content }) => sum + content.length, text.length);
    const queuedSize = this.#size + inFlight.size - (replaced?.size ?? 0);
    if (queuedSize + size > MAX_QUEUED_CHARACTERS)
      return { code: "queue_full", message: `${queuedSize} characters wait already` };
    this.#used.add(messageId);
    this.#size += size;
    this.#add({ messageId, text, blocks: content.blocks, size, isReplaceable }, input.delivery);
    this.#emitStatus(messageId, { status: "queued", ...replyTo(input) });
    if (replaced !== undefined) this.cancel(replaced.messageId, "replaced");
    return undefined;
  }

  /** A message with the delivery `now` goes before all others, also before earlier ones with `now`. */
  #add(queued: Queued, delivery: UserMessageInput["delivery"]): void {
    if (delivery !== "now") {
      this.#queued.push(queued);
      return;
    }
    this.#queued.unshift(queued);
    this.#urgent = queued;
  }

  /** Emits why a message is not queued. */
  reject(input: UserMessageInput, message_id: string, { code, message }: Rejection): void {
    this.#emit(errorMessage(code, message, { source: "host", message_id, ...replyTo(input) }));
    // The receipts of a used id belong to the first message that had it.
    if (!this.#used.has(message_id)) this.#emitStatus(message_id, { status: "rejected" });
  }

  /** Removes the last message, to be delivered before the messages that wait. */
  pop(): QueuedMessage | undefined {
    const last = this.#queued.pop();
    this.#size -= last?.size ?? 0;
    return last;
  }

  /** Removes the first message. */
  shift(): QueuedMessage | undefined {
    const next = this.#queued.shift();
    this.#size -= next?.size ?? 0;
    return next;
  }

  /** Cancels one message. False if it is not queued. */
  cancel(messageId: string, reason: string): boolean {
    const at = this.#queued.findIndex((queued) => queued.messageId === messageId);
    const [cancelled] = at === -1 ? [] : this.#queued.splice(at, 1);
    if (cancelled === undefined) return false;
    this.#size -= cancelled.size;
    this.#emitStatus(messageId, { status: "cancelled", reason });
    return true;
  }

  /** Cancels every message; returns their ids. */
  cancelAll(reason: string): string[] {
    const ids = this.#queued.splice(0).map(({ messageId }) => messageId);
    this.#size = 0;
    for (const id of ids) this.#emitStatus(id, { status: "cancelled", reason });
    return ids;
  }

  /** Whether a message had this id, as far back as ids are remembered. */
  knows(messageId: string): boolean {
    return this.#used.has(messageId);
  }

  #emitStatus(
    message_id: string,
    status: Pick<MessageStatus, "status" | "reason"> & ReturnType<typeof replyTo>,
  ): void {
    this.#emit({ type: "message_status", message_id, ...status });
  }
}
