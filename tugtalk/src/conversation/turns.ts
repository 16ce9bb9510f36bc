/**
 * Turns, and the receipts that tie messages of the host to them. A turn opens when an idle Claude gets
 * a message, or when Claude starts one by itself. It ends with its result or with the process.
 * Protocol reference §4, §15; contract, guarantees 2 and 3.
 */

import { errorMessage } from "../messages/errors.ts";
import type { TurnCancelled, TurnTrigger } from "../messages/turn-messages.ts";
import type { TurnView } from "../routing/results.ts";
import type { OutboundDraft } from "../types.ts";
import {
  type InFlightMessage,
  InFlightMessages,
  type Load,
  type QueuedMessage,
} from "./in-flight-messages.ts";
import { cancelledMessage, hasBegun, newTurn, type OpenTurn, startedMessage } from "./open-turn.ts";

/** How many turns may be open at once. A further beginning counts as part of the newest turn. */
const MAX_OPEN_TURNS = 64;

/** How many messages Claude may have at once. Further ones wait for the end of the turn. */
const MAX_IN_FLIGHT = 1024;

/** The turns of one process, and its messages in flight. */
export class Turns {
  readonly #newId: () => string;
  readonly #inFlight = new InFlightMessages();
  /** The oldest first: it ends next. Rarely more than one (§15). */
  #open: readonly OpenTurn[] = [];

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** The current turn: the newest, if there are two. */
  get openTurnId(): string | undefined {
    return this.#current?.turnId;
  }

  get openCount(): number {
    return this.#open.length;
  }

  /** No turn is open and no message is in flight. */
  get isIdle(): boolean {
    return this.#open.length === 0 && this.#inFlight.size === 0;
  }

  /** Claude has so many messages that the next one must wait. */
  get isFull(): boolean {
    return this.#inFlight.size >= MAX_IN_FLIGHT;
  }

  /** The current turn is a local command without content: its output is in the result only. */
  get isSilentCommand(): boolean {
    return this.#current?.hasContent === false && this.isRunning("/");
  }

  /** Whether the current turn is for a message that starts with this text. */
  isRunning(start: string): boolean {
    return this.#inFlight.of(this.openTurnId).some(({ message }) => message.text.startsWith(start));
  }

  /** Claude gets a message. An idle Claude opens a turn for it. */
  deliver(message: QueuedMessage): OutboundDraft[] {
    const opensTurn = this.isIdle;
    const entry = this.#inFlight.add(message);
    if (!opensTurn) return [];
    const turn = this.#push("user");
    return [startedMessage(turn, [message.messageId]), ...this.#inFlight.join(entry, turn.turnId)];
  }

  /** Claude confirms that the current turn is for this message; with none open, the next turn. */
  confirm(messageId: string, by: "echo" | "notification" = "notification"): OutboundDraft[] {
    const entry = this.#inFlight.get(messageId);
    if (entry === undefined) return [];
    if (entry.confirmedBy !== "notification") entry.confirmedBy = by;
    const turn = this.#current;
    if (turn === undefined) return [];
    turn.lacksMessage = false;
    return entry.turnId === undefined ? this.#inFlight.join(entry, turn.turnId) : [];
  }

  /** Opens a turn for content of the main conversation, if none is open. */
  ensureOpen(trigger: TurnTrigger): OutboundDraft[] {
    return this.#current === undefined ? this.#openBy(trigger) : [];
  }

  /** Whether a beginning with this trigger starts another turn than the current one. */
  isFollowedBy(trigger: TurnTrigger): boolean {
    const hasRoom = this.#open.length < MAX_OPEN_TURNS;
    return hasRoom && this.#current?.hasInit === true && trigger !== "unknown";
  }

  /**
   * Claude begins a turn. Claude may hold back a result until background work is done, so a wake-up can
   * begin before the result of the turn before it.
   */
  begin(trigger: TurnTrigger): OutboundDraft[] {
    const opened = this.isFollowedBy(trigger) ? this.#openBy(trigger) : this.ensureOpen(trigger);
    if (this.#current !== undefined) this.#current.hasInit = true;
    return opened;
  }

  /** A result came: opens the turn that it ends, if only a message of the host explains it. */
  ensureOpenForResult(): OutboundDraft[] {
    return this.#inFlight.size > 0 ? this.ensureOpen("user") : [];
  }

  /** The main conversation has content in the current turn. */
  recordContent(): void {
    if (this.#current !== undefined) this.#current.hasContent = true;
  }

  /** The host asked for the end of the open turns. */
  recordInterrupt(): void {
    for (const turn of this.#open) turn.isInterrupted = true;
  }

  /**
   * Decides which messages the ending turn was for. A turn of a background task is for none: messages
   * without confirmation wait for their own turn. A turn without any message is for the oldest one. So
   * is a turn that ended before the echo of its last message, because a hook blocked it.
   */
  settle(originKind: string | undefined): OutboundDraft[] {
    const [turn] = this.#open;
    if (turn === undefined) return [];
    const messages = this.#inFlight.of(turn.turnId);
    if (originKind === "task-notification") {
      turn.trigger = "task";
      for (const entry of messages) if (entry.confirmedBy === undefined) entry.turnId = undefined;
      return [];
    }
    const [oldest] = this.#inFlight.waiting;
    const isUnexplained = turn.trigger === "user" && messages.length === 0;
    return (isUnexplained || turn.lacksMessage) && oldest !== undefined
      ? this.#inFlight.join(oldest, turn.turnId)
      : [];
  }

  /** The turn that a result ends. Call `settle` first. */
  get view(): TurnView | undefined {
    const [turn] = this.#open;
    if (turn === undefined) return undefined;
    const { turnId, trigger, isInterrupted } = turn;
    const message_ids = this.#inFlight.idsOf(turnId);
    return { turn_id: turnId, message_ids, trigger, isInterrupted };
  }

  /** The result has been emitted: closes its turn and returns the receipts of its messages. */
  complete(): OutboundDraft[] {
    const [turn, ...others] = this.#open;
    this.#open = others;
    return this.#inFlight.finish("completed", ...this.#inFlight.of(turn?.turnId));
  }

  /** The result is lost: closes its turn with the text so far. */
  lose(partialResult: string): OutboundDraft[] {
    const [turn] = this.#open;
    if (turn === undefined) return [];
    return [this.#cancelled(turn, "line_lost", partialResult), ...this.complete()];
  }

  /** Whether Claude has this message and has not begun it. */
  isWaiting(messageId: string): boolean {
    const entry = this.#inFlight.get(messageId);
    return entry !== undefined && entry.turnId === undefined;
  }

  /** The messages that Claude has and has not begun, also those with a turn that has not begun. */
  get pendingIds(): string[] {
    if (this.hasBegun) return this.waitingIds;
    return this.#inFlight.all.map(({ message }) => message.messageId);
  }

  /** The messages that Claude has, without a turn. */
  get waitingIds(): string[] {
    return this.#inFlight.waiting.map(({ message }) => message.messageId);
  }

  /** How much Claude has and has not begun. */
  get waitingLoad(): Load {
    const { waiting } = this.#inFlight;
    const size = waiting.reduce((sum, { message }) => sum + message.size, 0);
    return { count: waiting.length, size };
  }

  /** Claude has begun the current turn. */
  get hasBegun(): boolean {
    return this.#current !== undefined && hasBegun(this.#current);
  }

  /** Whether the current turn is for one of these messages. */
  isFor(messageIds: readonly string[]): boolean {
    return this.#inFlight.idsOf(this.openTurnId).some((id) => messageIds.includes(id));
  }

  isOpen(turnId: string): boolean {
    return this.#open.some((turn) => turn.turnId === turnId);
  }

  /** Claude has echoed a message without a turn: its id was used before, so Claude drops it (§2a). */
  reject(messageId: string): OutboundDraft[] {
    const turn = this.#current;
    const entry = this.#inFlight.get(messageId);
    if (turn === undefined || entry === undefined) return [];
    const message = `claude dropped the message: its id ${messageId} was used before in this conversation`;
    const fields = { source: "claude", message_id: messageId } as const;
    const error = errorMessage("message_rejected", message, fields);
    return [error, this.#drop(turn), ...this.#inFlight.finish("rejected", entry)];
  }

  /** No turn is open, and Claude may have dropped a message without a report. */
  get lacksConfirmation(): boolean {
    return this.#open.length === 0 && this.#unconfirmed.length > 0;
  }

  /** Claude will not begin the messages that wait and that it has not confirmed. */
  giveUp(): OutboundDraft[] {
    return this.#inFlight.finish("failed", ...this.#unconfirmed);
  }

  /** The bridge asks Claude to return messages: one, or all that Claude has. */
  recordRecall(reason: string, messageId?: string): void {
    for (const entry of this.#inFlight.all) {
      if (messageId === undefined || entry.message.messageId === messageId)
        entry.recallReason = reason;
    }
  }

  /** Claude dropped a message that it had not begun. A turn that was opened for it alone ends with it. */
  withdraw(messageId: string): OutboundDraft[] {
    const entry = this.#inFlight.get(messageId);
    if (entry === undefined) return [];
    const { turnId, confirmedBy } = entry;
    if (turnId === undefined) return this.#inFlight.finish("cancelled", entry);
    const turn = this.#current;
    const isItsOwn = turn?.turnId === turnId && this.#inFlight.of(turnId).length === 1;
    if (!isItsOwn || confirmedBy !== undefined || hasBegun(turn)) return [];
    return [this.#drop(turn), ...this.#inFlight.finish("cancelled", entry)];
  }

  /** The process ends: closes every turn and every message. The text so far belongs to the newest turn. */
  cancel(reason: TurnCancelled["reason"], partialResult: string): OutboundDraft[] {
    const cancelled = this.#open.map((turn) =>
      this.#cancelled(turn, reason, turn === this.#current ? partialResult : ""),
    );
    this.#open = [];
    return [...cancelled, ...this.#inFlight.finish("failed", ...this.#inFlight.all)];
  }

  /** An echo is no confirmation here: Claude also echoes a message that it drops (§2a). */
  get #unconfirmed(): InFlightMessage[] {
    return this.#inFlight.waiting.filter(({ confirmedBy }) => confirmedBy !== "notification");
  }

  get #current(): OpenTurn | undefined {
    return this.#open.at(-1);
  }

  #openBy(trigger: TurnTrigger): OutboundDraft[] {
    const { waiting } = this.#inFlight;
    const confirmed = waiting.filter(({ confirmedBy }) => confirmedBy !== undefined);
    const isForMessage = confirmed.length > 0 || (waiting.length > 0 && trigger === "unknown");
    const turn = this.#push(isForMessage ? "user" : trigger);
    // All messages of a shared turn but the last are echoed before its init; notifications name all (§4c).
    turn.lacksMessage =
      confirmed.length > 0 && confirmed.every(({ confirmedBy }) => confirmedBy === "echo");
    const ids = confirmed.map(({ message }) => message.messageId);
    const joined = confirmed.flatMap((entry) => this.#inFlight.join(entry, turn.turnId));
    return [startedMessage(turn, ids), ...joined];
  }

  #push(trigger: TurnTrigger): OpenTurn {
    const turn = newTurn(this.#newId(), trigger);
    this.#open = [...this.#open, turn];
    return turn;
  }

  /** Ends a turn that Claude never begins. */
  #drop(turn: OpenTurn): OutboundDraft {
    this.#open = this.#open.filter((open) => open !== turn);
    return this.#cancelled(turn, "rejected", "");
  }

  #cancelled(turn: OpenTurn, reason: TurnCancelled["reason"], partial_result: string) {
    const message_ids = this.#inFlight.idsOf(turn.turnId);
    return cancelledMessage(turn, { reason, partial_result, message_ids });
  }
}
