/**
 * Turns, and the receipts that tie host messages to them. A turn is not a message: it opens when a
 * message is handed to an idle Claude or when Claude starts one by itself, and ends with its result
 * or with the process. Protocol reference §4, §15; contract, guarantees 2 and 3.
 */

import type { TurnCancelled, TurnTrigger } from "../messages/turn-messages.ts";
import type { TurnView } from "../routing/results.ts";
import type { OutboundDraft } from "../types.ts";
import { InFlightMessages, type Load, type QueuedMessage } from "./in-flight-messages.ts";

type OpenTurn = {
  readonly turnId: string;
  trigger: TurnTrigger;
  isInterrupted: boolean;
  /** Claude has said something in it. */
  hasContent: boolean;
  /** Its `system/init` has come: another one begins another turn. */
  hasInit: boolean;
  /** It has one message more than were confirmed. */
  lacksMessage: boolean;
};

/** Turns that may be open at once: more than ever are. A further beginning is taken for part of the newest. */
const MAX_OPEN_TURNS = 64;

/** Messages that Claude may have at once: further ones wait for the end of the turn. */
const MAX_IN_FLIGHT = 1024;

/** The turns and the messages under way in one process. */
export class Turns {
  readonly #newId: () => string;
  readonly #inFlight = new InFlightMessages();
  /** The oldest first, which is the next to end. Rarely more than one (§15). */
  #open: readonly OpenTurn[] = [];

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** The turn that is open; the newest, if there are two. */
  get openTurnId(): string | undefined {
    return this.#current?.turnId;
  }

  /** How many turns are open. */
  get openCount(): number {
    return this.#open.length;
  }

  /** Nothing is under way: the next message may be handed over. */
  get isIdle(): boolean {
    return this.#open.length === 0 && this.#inFlight.size === 0;
  }

  /** Claude has so many messages that the next one must wait. */
  get isFull(): boolean {
    return this.#inFlight.size >= MAX_IN_FLIGHT;
  }

  /** The open turn is a local command that has said nothing: its words are in the result only. */
  get isSilentCommand(): boolean {
    return this.#current?.hasContent === false && this.isRunning("/");
  }

  /** The open turn is for a message that begins so. */
  isRunning(start: string): boolean {
    return this.#inFlight.of(this.openTurnId).some(({ message }) => message.text.startsWith(start));
  }

  /** Claude gets this message now. To an idle Claude it opens a turn. */
  deliver(message: QueuedMessage): OutboundDraft[] {
    const opensTurn = this.isIdle;
    const handed = this.#inFlight.add(message);
    if (!opensTurn) return [];
    const turn = this.#begin("user");
    return [startedMessage(turn, [message.messageId]), ...this.#inFlight.join(handed, turn.turnId)];
  }

  /** Claude says that the open turn is for this message; with none open, the turn that begins next. */
  confirm(messageId: string, by: "echo" | "news" = "news"): OutboundDraft[] {
    const handed = this.#inFlight.get(messageId);
    if (handed === undefined) return [];
    if (handed.confirmedBy !== "news") handed.confirmedBy = by;
    const turn = this.#current;
    if (turn !== undefined) turn.lacksMessage = false;
    return handed.turnId === undefined && turn !== undefined
      ? this.#inFlight.join(handed, turn.turnId)
      : [];
  }

  /** Something of the main conversation came: opens a turn if none is open to explain it. */
  ensureOpen(trigger: TurnTrigger): OutboundDraft[] {
    return this.#current === undefined ? this.#openBy(trigger) : [];
  }

  /** Whether a beginning with this trigger is that of another turn than the open one. */
  isFollowedBy(trigger: TurnTrigger): boolean {
    const hasRoom = this.#open.length < MAX_OPEN_TURNS;
    return hasRoom && this.#current?.hasInit === true && trigger !== "unknown";
  }

  /**
   * Claude begins a turn. Results can be held back until background work is through, so a wake-up may
   * begin while the turn before it has no result yet.
   */
  begin(trigger: TurnTrigger): OutboundDraft[] {
    const opened = this.isFollowedBy(trigger) ? this.#openBy(trigger) : this.ensureOpen(trigger);
    if (this.#current !== undefined) this.#current.hasInit = true;
    return opened;
  }

  /** A result came: opens the turn that it ends, if a message of the host's must be what it is for. */
  ensureOpenForResult(): OutboundDraft[] {
    return this.#inFlight.size > 0 ? this.ensureOpen("user") : [];
  }

  /** Claude said something in the open turn. */
  noteContent(): void {
    if (this.#current !== undefined) this.#current.hasContent = true;
  }

  /** The host asked for the end of the open turn. */
  noteInterrupt(): void {
    for (const turn of this.#open) turn.isInterrupted = true;
  }

  /**
   * Settles what the open turn was for, now that its result tells. One that Claude began by itself may
   * have been taken for that of a message handed over in the same moment: the message's own turn is
   * then still to come. A turn that no echo explained is that of the oldest message; so is the last
   * message of a turn that ended before its echo was due, as one does that a hook blocks.
   */
  settle(originKind: string | undefined): OutboundDraft[] {
    const [turn] = this.#open;
    if (turn === undefined) return [];
    if (originKind === "task-notification") {
      turn.trigger = "task";
      for (const handed of this.#inFlight.of(turn.turnId))
        if (handed.confirmedBy === undefined) handed.turnId = undefined;
      return [];
    }
    const [oldest] = this.#inFlight.waiting;
    const isUnexplained = turn.trigger === "user" && this.#inFlight.of(turn.turnId).length === 0;
    return (isUnexplained || turn.lacksMessage) && oldest !== undefined
      ? this.#inFlight.join(oldest, turn.turnId)
      : [];
  }

  /** The turn that a result ends, as the result needs it. Call `settle` first. */
  get view(): TurnView | undefined {
    const [turn] = this.#open;
    if (turn === undefined) return undefined;
    const { turnId, trigger, isInterrupted } = turn;
    return { turn_id: turnId, message_ids: this.#idsOf(turn), trigger, isInterrupted };
  }

  /** The result has been told: closes its turn; gives the receipts of its messages. */
  complete(): OutboundDraft[] {
    const [turn, ...others] = this.#open;
    const ended = this.#inFlight.of(turn?.turnId);
    this.#open = others;
    return ended.map((handed) => this.#inFlight.finish(handed, "completed"));
  }

  /** The result is lost: closes its turn as far as it was told. */
  lose(partialResult: string): OutboundDraft[] {
    const cancelled = this.#open
      .slice(0, 1)
      .map((turn) => this.#cancelled(turn, "line_lost", partialResult));
    return [...cancelled, ...this.complete()];
  }

  /** Claude has this message and has not begun it, as far as is known. */
  isWaiting(messageId: string): boolean {
    const handed = this.#inFlight.get(messageId);
    return handed !== undefined && handed.turnId === undefined;
  }

  /** The messages that Claude has and has not begun, also those that a turn was opened for. */
  get pendingIds(): string[] {
    const { all } = this.#inFlight;
    const pending = this.hasBegun ? all.filter(({ turnId }) => turnId === undefined) : all;
    return pending.map(({ message }) => message.messageId);
  }

  /** How much Claude has been given that it has not begun. */
  get waitingLoad(): Load {
    return this.#inFlight.load;
  }

  /** Claude has begun the open turn. */
  get hasBegun(): boolean {
    return this.#current !== undefined && hasBegun(this.#current);
  }

  /** Whether one of these messages is what the open turn is for, and whether it has begun. */
  statusOf(messageIds: readonly string[]): "absent" | "pending" | "begun" {
    const turn = this.#current;
    const isOf = this.#inFlight
      .of(turn?.turnId)
      .some(({ message }) => messageIds.includes(message.messageId));
    if (turn === undefined || !isOf) return "absent";
    return hasBegun(turn) ? "begun" : "pending";
  }

  /** Whether this turn is open. */
  isOpen(turnId: string): boolean {
    return this.#open.some((turn) => turn.turnId === turnId);
  }

  /** Claude has echoed a message and begun nothing: its id was used before, so it is dropped (§2a). */
  reject(messageId: string): OutboundDraft[] {
    const turn = this.#current;
    const handed = this.#inFlight.get(messageId);
    if (turn === undefined || handed === undefined) return [];
    const cancelled = this.#cancelled(turn, "rejected", "");
    this.#open = this.#open.filter((open) => open !== turn);
    const error = {
      type: "error",
      code: "message_rejected",
      message: `claude dropped the message: its id ${messageId} was used before in this conversation`,
      recoverable: true,
      source: "claude",
      message_id: messageId,
    } as const;
    return [error, cancelled, this.#inFlight.finish(handed, "rejected")];
  }

  /** Claude will not begin what it has been given. */
  giveUp(): OutboundDraft[] {
    return this.#inFlight.waiting.map((handed) => this.#inFlight.finish(handed, "failed"));
  }

  /** Claude is asked to give messages back; all that it has, unless one is named. */
  noteRecall(reason: string, messageId?: string): void {
    for (const handed of this.#inFlight.all) {
      if (messageId === undefined || handed.message.messageId === messageId)
        handed.recallReason = reason;
    }
  }

  /** Claude dropped a message that it had not begun; a turn that was opened for it ends with it. */
  withdraw(messageId: string): OutboundDraft[] {
    const handed = this.#inFlight.get(messageId);
    if (handed === undefined) return [];
    if (handed.turnId === undefined) return [this.#inFlight.finish(handed, "cancelled")];
    const turn = this.#current;
    const isItsOwn =
      turn?.turnId === handed.turnId && this.#inFlight.of(handed.turnId).length === 1;
    if (turn === undefined || !isItsOwn || handed.confirmedBy !== undefined || hasBegun(turn))
      return [];
    const cancelled = this.#cancelled(turn, "rejected", "");
    this.#open = this.#open.filter((open) => open !== turn);
    return [cancelled, this.#inFlight.finish(handed, "cancelled")];
  }

  /** The process ends first: closes what is open, and every message that Claude had. */
  cancel(reason: TurnCancelled["reason"], partialResult: string): OutboundDraft[] {
    const cancelled = this.#open.map((turn) =>
      this.#cancelled(turn, reason, turn === this.#current ? partialResult : ""),
    );
    this.#open = [];
    return [...cancelled, ...this.#inFlight.finishAll("failed")];
  }

  get #current(): OpenTurn | undefined {
    return this.#open.at(-1);
  }

  #cancelled(
    turn: OpenTurn,
    reason: TurnCancelled["reason"],
    partialResult: string,
  ): OutboundDraft {
    return {
      type: "turn_cancelled",
      turn_id: turn.turnId,
      partial_result: partialResult,
      reason,
      message_ids: this.#idsOf(turn),
      trigger: turn.trigger,
    };
  }

  #openBy(trigger: TurnTrigger): OutboundDraft[] {
    const waiting = this.#inFlight.waiting;
    const confirmed = waiting.filter(({ confirmedBy }) => confirmedBy !== undefined);
    const isForMessage = confirmed.length > 0 || (waiting.length > 0 && trigger === "unknown");
    const turn = this.#begin(isForMessage ? "user" : trigger);
    // Messages that share a turn are echoed before its init, all but the last; news tell of all (§4c).
    turn.lacksMessage =
      confirmed.length > 0 && confirmed.every(({ confirmedBy }) => confirmedBy === "echo");
    const ids = confirmed.map(({ message }) => message.messageId);
    return [
      startedMessage(turn, ids),
      ...confirmed.flatMap((handed) => this.#inFlight.join(handed, turn.turnId)),
    ];
  }

  #begin(trigger: TurnTrigger): OpenTurn {
    const turnId = this.#newId();
    const turn: OpenTurn = {
      turnId,
      trigger,
      isInterrupted: false,
      hasContent: false,
      hasInit: false,
      lacksMessage: false,
    };
    this.#open = [...this.#open, turn];
    return turn;
  }

  #idsOf(turn: OpenTurn): string[] {
    return this.#inFlight.of(turn.turnId).map(({ message }) => message.messageId);
  }
}

function hasBegun({ hasInit, hasContent }: OpenTurn): boolean {
  return hasInit || hasContent;
}

function startedMessage({ turnId, trigger }: OpenTurn, messageIds: string[]): OutboundDraft {
  return { type: "turn_started", turn_id: turnId, message_ids: messageIds, trigger };
}
