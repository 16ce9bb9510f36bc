/**
 * The user messages of one session that wait. The bridge is given one at a time, when no turn is open; a
 * steering message at once.
 */
import { randomUUID } from "node:crypto";
import { ApiError, badField } from "../api/api-error.ts";
import type { MessageReceipt, NewMessage } from "../api/host-session.ts";
import type { Journal, QueuedRow } from "../journal/journal.ts";
import {
  checkRoom,
  type MessageQueue,
  placeIn,
  type QueueStep,
  withFirst,
  withMessage,
  withoutMessage,
  withText,
} from "./message-queue.ts";
import { type Dedupe, MessageReplies, replyOf } from "./message-replies.ts";
import type { Change, NewEntry } from "./session-change.ts";
import {
  eventSession,
  messageQueued,
  messageSent,
  queueChanged,
  sessionChanged,
} from "./session-events.ts";
import { isSpent } from "./session-limit.ts";
import { hasOpenTurn, type SessionLog } from "./session-log.ts";
import { titleOf } from "./session-summary.ts";
import type { UnreadMessages } from "./unread-messages.ts";

/** A message as the bridge is given it. */
export type Delivery = Pick<QueuedRow, "messageId" | "message" | "attachments"> & {
  readonly isSteering: boolean;
};

export type MessageDeskPorts = {
  readonly log: SessionLog;
  readonly journal: Pick<Journal, "reply">;
  readonly unread: UnreadMessages;
  readonly now: () => number;
  /** Whether a bridge takes messages. */
  readonly isReady: () => boolean;
  readonly deliver: (message: Delivery) => void;
  /** Whether a bridge can be started only later, since the one before may still run. */
  readonly mustWait: () => boolean;
  /** Throws an `ApiError` where no turn may start. */
  readonly checkGoing: () => void;
  /** Something waits and no bridge runs: resolves when one does, or has failed to start. */
  readonly wake: () => Promise<void>;
};

type Waking = { readonly dedupe: Dedupe | undefined; isSent: boolean };

export class MessageDesk {
  readonly #ports: MessageDeskPorts;
  readonly #session;
  #queue: MessageQueue;
  /** Commands whose message waits for the start of a bridge. */
  readonly #waking = new Map<string, Waking>();
  readonly #replies: MessageReplies;

  constructor(ports: MessageDeskPorts, rows: readonly QueuedRow[]) {
    this.#ports = ports;
    this.#session = eventSession(ports.log.row.id);
    this.#replies = new MessageReplies(ports);
    this.#queue = rows.filter(({ stage }) => stage === undefined);
  }

  get queue(): MessageQueue {
    return this.#queue;
  }

  get isHeld(): boolean {
    return this.#ports.log.row.isQueueHeld;
  }

  /** The same command again gets the same receipt. */
  async message(message: NewMessage): Promise<MessageReceipt> {
    if (message.message.trim() === "" && (message.attachments ?? []).length === 0)
      throw badField("message", "must not be blank");
    return this.#replies.once(message, (dedupe) => this.#take(message, dedupe));
  }

  edit(messageId: string, message: string): void {
    if (message.trim() === "") throw badField("message", "must not be blank");
    this.#step(this.#withRoom(found(withText(this.#queue, messageId, message))));
  }

  remove(messageId: string): void {
    const endedMessages = [{ messageId, status: "deleted" }] as const;
    this.#step(found(withoutMessage(this.#queue, messageId)), { endedMessages });
  }

  /** Before all others, or into the open turn. */
  async sendNow(messageId: string, delivery: "queue" | "steer"): Promise<MessageReceipt> {
    if (delivery === "steer" && this.#mayTakeSteering()) return this.#steerQueued(messageId);
    this.#ports.checkGoing();
    this.#step(found(withFirst(this.#queue, messageId)), { session: { isQueueHeld: false } });
    return this.#handOver(messageId);
  }

  /** The queue goes on when a person sends something. */
  hold(): void {
    if (this.#queue.length === 0 || this.isHeld) return;
    const change = { session: { isQueueHeld: true } };
    this.#ports.log.append([queueChanged(this.#session, { held: true })], change);
  }

  /** Returns all that waits to whoever takes it back. */
  withdraw(): readonly QueuedRow[] {
    const rows = this.#queue;
    const { unread } = this.#ports;
    const { entries, queued } = unread.returning(rows);
    if (rows.length === 0) return rows;
    this.#step({ queue: [], queued, unqueued: [], change: {} }, {}, entries);
    unread.recordReturned({ queued });
    return rows;
  }

  /** Gives the bridge the next message, if it is its turn. */
  advance(): void {
    const [next] = this.#queue;
    if (isSpent(this.#ports.log.row)) this.hold();
    if (next === undefined || this.isHeld || !this.#isFree()) return;
    const waking = this.#waking.get(next.messageId);
    this.#change(this.#queue.slice(1), () => this.#send(next, waking?.dedupe));
    if (waking !== undefined) waking.isSent = true;
  }

  #isFree(): boolean {
    const { log, isReady } = this.#ports;
    return isReady() && log.row.inFlight === undefined && !hasOpenTurn(log.state);
  }

  async #take(message: NewMessage, dedupe: Dedupe | undefined): Promise<MessageReceipt> {
    const { delivery = "queue" } = message;
    const row = {
      messageId: randomUUID(),
      message: message.message,
      attachments: message.attachments ?? [],
      delivery: delivery === "steer" ? "queue" : delivery,
      queuedAt: this.#ports.now(),
    } as const;
    if (delivery === "steer" && this.#mayTakeSteering()) return this.#steer(row, dedupe);
    this.#ports.checkGoing();
    if (this.#queue.length === 0 && this.#isFree()) {
      this.#checkRoom([row]);
      return this.#send({ ...row, position: 0 }, dedupe);
    }
    this.#enqueue(row, dedupe);
    return this.#handOver(row.messageId, dedupe);
  }

  #mayTakeSteering(): boolean {
    const { log, isReady } = this.#ports;
    return isReady() && hasOpenTurn(log.state);
  }

  /** It goes at once, and the queue stays as it is. */
  #steer(row: Omit<QueuedRow, "position">, dedupe: Dedupe | undefined): MessageReceipt {
    const receipt: MessageReceipt = { status: "sent", message_id: row.messageId };
    this.#checkRoom([...this.#queue, row]);
    const sent = { ...row, position: 0, stage: "sent" } as const;
    const change = { ...replyOf(dedupe, receipt), queued: [sent] };
    this.#ports.log.append([this.#sent(row)], change);
    this.#deliver(sent, true);
    return receipt;
  }

  #steerQueued(messageId: string): MessageReceipt {
    const row = found(this.#queue.find((other) => other.messageId === messageId));
    const queue = this.#queue.filter((other) => other !== row);
    const sent = { ...row, stage: "sent" } as const;
    const step = { queue, queued: [sent], unqueued: [], change: {} };
    this.#step(step, { session: { isQueueHeld: false } }, [this.#sent(row)]);
    this.#deliver(sent, true);
    return { status: "sent", message_id: messageId };
  }

  #sent(row: Omit<QueuedRow, "position">): NewEntry {
    return messageSent(this.#session, row, this.#ports.now());
  }

  #send(row: QueuedRow, dedupe: Dedupe | undefined): MessageReceipt {
    const receipt: MessageReceipt = { status: "sent", message_id: row.messageId };
    const { log } = this.#ports;
    const title = log.row.title === "" ? titleOf(row.message) : "";
    const titled = title === "" ? [] : [sessionChanged(this.#session, { title })];
    const sent = { ...row, stage: "sent" } as const;
    log.append([...titled, this.#sent(row)], {
      ...replyOf(dedupe, receipt),
      queued: [sent],
      session: { inFlight: row.messageId, ...(title !== "" && { title }) },
    });
    this.#deliver(sent, false);
    return receipt;
  }

  #deliver(row: QueuedRow, isSteering: boolean): void {
    this.#ports.unread.recordSent(row);
    this.#ports.deliver({ ...row, isSteering });
  }

  #enqueue(row: Omit<QueuedRow, "position">, dedupe: Dedupe | undefined): void {
    const step = this.#withRoom(withMessage(this.#queue, row));
    const position = placeIn(step.queue, row.messageId);
    const receipt = { status: "queued", message_id: row.messageId, position } as const;
    const replaced = step.unqueued.map((messageId) => ({ messageId, status: "replaced" }) as const);
    const change = {
      ...replyOf(dedupe, receipt),
      session: { isQueueHeld: false },
      endedMessages: replaced,
    };
    const [added] = step.queued;
    if (added === undefined || replaced.length > 0) this.#step(step, change);
    else this.#step({ ...step, change: {} }, change, [messageQueued(this.#session, added)]);
  }

  #withRoom(step: QueueStep): QueueStep {
    this.#checkRoom(step.queue);
    return step;
  }

  #checkRoom(rows: readonly Omit<QueuedRow, "position">[]): void {
    checkRoom([...rows, ...this.#ports.unread.returned]);
  }

  /** Sends what may be sent, with a bridge that is started for it; gives what became of one message. */
  async #handOver(messageId: string, dedupe?: Dedupe): Promise<MessageReceipt> {
    this.advance();
    const { isReady, mustWait, wake } = this.#ports;
    const position = placeIn(this.#queue, messageId);
    if (position === 0) return { status: "sent", message_id: messageId };
    if (mustWait()) void wake();
    else if (!isReady()) {
      const waking = this.#waking.get(messageId) ?? { dedupe, isSent: false };
      this.#waking.set(messageId, waking);
      await wake();
      this.#waking.delete(messageId);
      if (waking.isSent) return { status: "sent", message_id: messageId };
    }
    const place = placeIn(this.#queue, messageId) || position;
    const unread = this.#ports.unread.receiptOf(messageId);
    return unread ?? { status: "queued", message_id: messageId, position: place };
  }

  #step(
    { queue, queued, unqueued, change: changed }: QueueStep,
    change: Change = {},
    entries: readonly NewEntry[] = [],
  ): void {
    const isQueueHeld = queue.length > 0 && (change.session?.isQueueHeld ?? this.isHeld);
    const held = isQueueHeld === this.isHeld ? {} : { held: isQueueHeld };
    const fields = { ...changed, ...held };
    const isChanged = Object.keys(fields).length > 0;
    const told = [...entries, ...(isChanged ? [queueChanged(this.#session, fields)] : [])];
    const session = { ...change.session, isQueueHeld };
    this.#change(queue, () =>
      this.#ports.log.append(told, { ...change, session, queued, unqueued }),
    );
  }

  /** What the journal does not take does not happen. */
  #change(queue: MessageQueue, write: () => void): void {
    const before = this.#queue;
    this.#queue = queue;
    try {
      write();
    } catch (error) {
      this.#queue = before;
      throw error;
    }
  }
}

function found<Found>(step: Found | undefined): Found {
  if (step === undefined)
    throw new ApiError(404, "unknown_message", "the message does not wait in the queue");
  return step;
}
