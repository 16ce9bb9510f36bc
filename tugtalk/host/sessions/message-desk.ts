/**
 * The user messages of one session: those that wait, and the one that the bridge has. The bridge is
 * given one at a time, when no turn is open; a steering message at once.
 */
import { randomUUID } from "node:crypto";
import { ApiError, badField } from "../api/api-error.ts";
import type { MessageReceipt, NewMessage } from "../api/host-session.ts";
import type { Journal, QueuedRow } from "../journal/journal.ts";
import {
  type MessageQueue,
  placeIn,
  type QueueStep,
  withFirst,
  withMessage,
  withoutMessage,
  withRoom,
  withText,
} from "./message-queue.ts";
import { type Dedupe, hashOf, replyOf } from "./message-reply.ts";
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

/** A message as the bridge is given it. */
export type Delivery = Pick<QueuedRow, "messageId" | "message" | "attachments"> & {
  readonly isSteering: boolean;
};

export type MessageDeskPorts = {
  readonly log: SessionLog;
  readonly journal: Pick<Journal, "reply">;
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
  /** What the bridge has, and was not taken by Claude yet. */
  readonly #delivered = new Map<string, QueuedRow>();
  /** Commands whose message waits for the start of a bridge. */
  readonly #waking = new Map<string, Waking>();
  /** Commands that are being answered. */
  readonly #answering = new Map<string, { hash: string; receipt: Promise<MessageReceipt> }>();

  constructor(ports: MessageDeskPorts, queue: MessageQueue) {
    this.#ports = ports;
    this.#session = eventSession(ports.log.row.id);
    this.#queue = queue;
  }

  get queue(): MessageQueue {
    return this.#queue;
  }

  get isHeld(): boolean {
    return this.#ports.log.row.isQueueHeld;
  }

  /** The same command again gets the same receipt. */
  async message(message: NewMessage): Promise<MessageReceipt> {
    const { clientMessageId: clientId } = message;
    if (message.message.trim() === "" && (message.attachments ?? []).length === 0)
      throw badField("message", "must not be blank");
    if (clientId === undefined) return this.#take(message, undefined);
    const hash = hashOf(message);
    const known = this.#answering.get(clientId) ?? this.#answered(clientId);
    if (known !== undefined) {
      if (known.hash === hash) return known.receipt;
      const words = "client_msg_id: another message was sent with it";
      throw new ApiError(409, "client_msg_id_used", words);
    }
    const receipt = this.#take(message, { clientId, hash });
    this.#answering.set(clientId, { hash, receipt });
    return receipt.finally(() => this.#answering.delete(clientId));
  }

  edit(messageId: string, message: string): void {
    if (message.trim() === "") throw badField("message", "must not be blank");
    this.#step(withRoom(found(withText(this.#queue, messageId, message))));
  }

  remove(messageId: string): void {
    this.#step(found(withoutMessage(this.#queue, messageId)));
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
    this.#ports.log.append([queueChanged(this.#session, this.#queue, true)], change);
  }

  /** Takes all that waits out of the queue. */
  withdraw(): readonly QueuedRow[] {
    const rows = this.#queue;
    if (rows.length > 0)
      this.#step(
        { queue: [], queued: [], unqueued: rows.map(({ messageId }) => messageId) },
        { session: { isQueueHeld: false } },
      );
    return rows;
  }

  /** What the bridge has and Claude did not take. */
  get delivered(): readonly QueuedRow[] {
    return [...this.#delivered.values()];
  }

  /** A receipt has come: Claude has the message, or it has ended. */
  noteTaken(messageId: string): void {
    this.#delivered.delete(messageId);
  }

  /** No bridge has any message. */
  forgetDelivered(): void {
    this.#delivered.clear();
  }

  /** Gives the bridge the next message, if it is its turn. */
  advance(): void {
    const [next] = this.#queue;
    if (isSpent(this.#ports.log.row)) this.hold();
    if (next === undefined || this.isHeld || !this.#isFree()) return;
    const waking = this.#waking.get(next.messageId);
    this.#change(this.#queue.slice(1), () =>
      this.#send(next, waking?.dedupe, { unqueued: [next.messageId] }),
    );
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
    if (this.#queue.length === 0 && this.#isFree())
      return this.#send({ ...row, position: 0 }, dedupe, {});
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
    const reply = replyOf(dedupe, receipt);
    this.#ports.log.append([this.#sent(row)], reply);
    this.#deliver({ ...row, position: 0 }, true);
    return receipt;
  }

  #steerQueued(messageId: string): MessageReceipt {
    const row = found(this.#queue.find((other) => other.messageId === messageId));
    const queue = this.#queue.filter((other) => other !== row);
    const told = [this.#sent(row), queueChanged(this.#session, queue, false)];
    const step = { queue, queued: [], unqueued: [messageId] };
    this.#step(step, { session: { isQueueHeld: false } }, told);
    this.#deliver(row, true);
    return { status: "sent", message_id: messageId };
  }

  #sent(row: Omit<QueuedRow, "position">): NewEntry {
    return messageSent(this.#session, row, this.#ports.now());
  }

  #send(row: QueuedRow, dedupe: Dedupe | undefined, change: Change): MessageReceipt {
    const receipt: MessageReceipt = { status: "sent", message_id: row.messageId };
    const { log } = this.#ports;
    const title = log.row.title === "" ? titleOf(row.message) : "";
    const titled = title === "" ? [] : [sessionChanged(this.#session, { title })];
    log.append([...titled, this.#sent(row)], {
      ...change,
      ...replyOf(dedupe, receipt),
      session: { inFlight: row.messageId, ...(title !== "" && { title }) },
    });
    this.#deliver(row, false);
    return receipt;
  }

  #deliver(row: QueuedRow, isSteering: boolean): void {
    this.#delivered.set(row.messageId, row);
    this.#ports.deliver({ ...row, isSteering });
  }

  #enqueue(row: Omit<QueuedRow, "position">, dedupe: Dedupe | undefined): void {
    const step = withRoom(withMessage(this.#queue, row));
    const isReleased = this.isHeld;
    const position = placeIn(step.queue, row.messageId);
    const receipt = { status: "queued", message_id: row.messageId, position } as const;
    const change = { ...replyOf(dedupe, receipt), session: { isQueueHeld: false } };
    const added = step.queued[0];
    const isPlain = added !== undefined && !isReleased && step.unqueued.length === 0;
    this.#step(step, change, isPlain ? [messageQueued(this.#session, added)] : undefined);
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
    // One that was taken out meanwhile has waited, too.
    const place = placeIn(this.#queue, messageId) || position;
    return { status: "queued", message_id: messageId, position: place };
  }

  #step(
    { queue, queued, unqueued }: QueueStep,
    change: Change = {},
    entries?: readonly NewEntry[],
  ): void {
    const isQueueHeld = queue.length > 0 && (change.session?.isQueueHeld ?? this.isHeld);
    const told = entries ?? [queueChanged(this.#session, queue, isQueueHeld)];
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

  #answered(clientId: string) {
    const { journal, log } = this.#ports;
    const reply = journal.reply(log.row.id, clientId);
    if (reply === undefined) return undefined;
    // Written by `replyOf`.
    const receipt = Promise.resolve(reply.body as MessageReceipt);
    return { hash: reply.hash, receipt };
  }
}

function found<Found>(step: Found | undefined): Found {
  if (step === undefined)
    throw new ApiError(404, "unknown_message", "the message does not wait in the queue");
  return step;
}
