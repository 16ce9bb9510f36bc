/**
 * Turns, and the receipts that tie host messages to them. A turn is not a message: it opens when a
 * message is handed to an idle Claude or when Claude starts one by itself, and ends with its result
 * or with the process. Protocol reference §4, §15; contract, guarantees 2 and 3.
 */
import type { TurnView } from "./results.ts";
import type { OutboundDraft, TurnCancelled, TurnTrigger } from "./types.ts";
import type { ContentBlock } from "./user-message.ts";

/** A host message that has been accepted. */
export type QueuedMessage = {
  readonly messageId: string;
  readonly text: string;
  readonly blocks: readonly ContentBlock[];
};

/** A message that Claude has, from hand-over to its final receipt. */
type HandedOver = {
  readonly message: QueuedMessage;
  /** The turn that it is part of, as far as is known. */
  turnId: string | undefined;
  /** Claude itself has said so. */
  isConfirmed: boolean;
  /** The host has been told that it started. */
  isAnnounced: boolean;
  isMerged: boolean;
};

type OpenTurn = {
  readonly turnId: string;
  trigger: TurnTrigger;
  isInterrupted: boolean;
  /** Claude has said something in it. */
  hasContent: boolean;
};

/** The turns and the messages under way in one process. */
export class Turns {
  readonly #newId: () => string;
  readonly #handedOver = new Map<string, HandedOver>();
  #open: OpenTurn | undefined;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** The turn that is open. */
  get openTurnId(): string | undefined {
    return this.#open?.turnId;
  }

  /** Nothing is under way: the next message may be handed over. */
  get isIdle(): boolean {
    return this.#open === undefined && this.#handedOver.size === 0;
  }

  /** The open turn is a local command that has said nothing: its words are in the result only. */
  get isSilentCommand(): boolean {
    return this.#open !== undefined && !this.#open.hasContent && this.isRunning("/");
  }

  /** The open turn is for a message that begins so. */
  isRunning(start: string): boolean {
    return this.#inOpenTurn().some(({ message }) => message.text.startsWith(start));
  }

  /** Claude gets this message now. To an idle Claude it opens a turn. */
  handOver(message: QueuedMessage): OutboundDraft[] {
    const opensTurn = this.isIdle;
    const handed = {
      message,
      turnId: undefined,
      isConfirmed: false,
      isAnnounced: false,
      isMerged: false,
    };
    this.#handedOver.set(message.messageId, handed);
    if (!opensTurn) return [];
    const turn = this.#begin("user");
    return [startedMessage(turn, [message.messageId]), ...this.#join(handed, turn)];
  }

  /** Claude says that the open turn is for this message. */
  confirm(messageId: string): OutboundDraft[] {
    const handed = this.#handedOver.get(messageId);
    if (handed === undefined || this.#open === undefined) return [];
    handed.isConfirmed = true;
    return handed.turnId === undefined ? this.#join(handed, this.#open) : [];
  }

  /** Something of the main conversation came: opens a turn if none is open to explain it. */
  ensureOpen(trigger: TurnTrigger): OutboundDraft[] {
    if (this.#open !== undefined) return [];
    return [startedMessage(this.#begin(this.#handedOver.size > 0 ? "user" : trigger), [])];
  }

  /** A result came: opens the turn that it ends, if a message of the host's must be what it is for. */
  ensureOpenForResult(): OutboundDraft[] {
    return this.#handedOver.size > 0 ? this.ensureOpen("user") : [];
  }

  /** Claude said something in the open turn. */
  noteContent(): void {
    if (this.#open !== undefined) this.#open.hasContent = true;
  }

  /** The host asked for the end of the open turn. */
  noteInterrupt(): void {
    if (this.#open !== undefined) this.#open.isInterrupted = true;
  }

  /**
   * Settles what the open turn was for, now that its result tells. One that Claude began by itself may
   * have been taken for that of a message handed over in the same moment: the message's own turn is
   * then still to come. A turn that no echo explained is that of the oldest message.
   */
  settle(originKind: string | undefined): OutboundDraft[] {
    const turn = this.#open;
    if (turn === undefined) return [];
    if (originKind === "task-notification") {
      turn.trigger = "task";
      for (const handed of this.#inOpenTurn()) if (!handed.isConfirmed) handed.turnId = undefined;
      return [];
    }
    const [oldest] = this.#waiting();
    const isUnexplained = turn.trigger === "user" && this.#inOpenTurn().length === 0;
    return isUnexplained && oldest !== undefined ? this.#join(oldest, turn) : [];
  }

  /** The open turn as its result needs it. Call `settle` first. */
  get view(): TurnView | undefined {
    if (this.#open === undefined) return undefined;
    const { turnId, trigger, isInterrupted } = this.#open;
    return { turn_id: turnId, message_ids: this.#idsInOpenTurn(), trigger, isInterrupted };
  }

  /** The result has been told: closes the turn; gives the receipts of its messages. */
  complete(): OutboundDraft[] {
    const ended = this.#inOpenTurn();
    this.#open = undefined;
    return ended.map((handed) => this.#finish(handed, "completed"));
  }

  /** The result is lost: closes the turn as far as it was told. */
  lose(partialResult: string): OutboundDraft[] {
    return [...this.#cancelled("line_lost", partialResult), ...this.complete()];
  }

  /** The process ends first: closes the turn, and every message that Claude had. */
  cancel(reason: TurnCancelled["reason"], partialResult: string): OutboundDraft[] {
    const cancelled = this.#cancelled(reason, partialResult);
    this.#open = undefined;
    const handed = [...this.#handedOver.values()];
    return [...cancelled, ...handed.map((message) => this.#finish(message, "failed"))];
  }

  #cancelled(reason: TurnCancelled["reason"], partialResult: string): OutboundDraft[] {
    if (this.#open === undefined) return [];
    const { turnId, trigger } = this.#open;
    const message_ids = this.#idsInOpenTurn();
    return [
      {
        type: "turn_cancelled",
        turn_id: turnId,
        partial_result: partialResult,
        reason,
        message_ids,
        trigger,
      },
    ];
  }

  #begin(trigger: TurnTrigger): OpenTurn {
    this.#open = { turnId: this.#newId(), trigger, isInterrupted: false, hasContent: false };
    return this.#open;
  }

  /** Puts a message into a turn; tells the host, once. */
  #join(handed: HandedOver, turn: OpenTurn): OutboundDraft[] {
    handed.isMerged = this.#inOpenTurn().length > 0;
    handed.turnId = turn.turnId;
    if (handed.isAnnounced) return [];
    handed.isAnnounced = true;
    const place = { turn_id: turn.turnId, message_id: handed.message.messageId };
    return [
      { type: "message_status", ...place, status: "started" },
      {
        type: "user_text",
        ...place,
        text: handed.message.text,
        kind: "host",
        ...contentOf(handed.message),
      },
    ];
  }

  #finish(
    { message, turnId, isMerged }: HandedOver,
    status: "completed" | "failed",
  ): OutboundDraft {
    this.#handedOver.delete(message.messageId);
    return {
      type: "message_status",
      message_id: message.messageId,
      status,
      ...(turnId !== undefined && { turn_id: turnId }),
      ...(isMerged && { merged: true }),
    };
  }

  #waiting(): HandedOver[] {
    return [...this.#handedOver.values()].filter(({ turnId }) => turnId === undefined);
  }

  #inOpenTurn(): HandedOver[] {
    return [...this.#handedOver.values()].filter(
      ({ turnId }) => turnId !== undefined && turnId === this.#open?.turnId,
    );
  }

  #idsInOpenTurn(): string[] {
    return this.#inOpenTurn().map(({ message }) => message.messageId);
  }
}

function startedMessage({ turnId, trigger }: OpenTurn, messageIds: string[]): OutboundDraft {
  return { type: "turn_started", turn_id: turnId, message_ids: messageIds, trigger };
}

/** The blocks, where there is more than the text. */
function contentOf({ blocks }: QueuedMessage): { content?: Record<string, unknown>[] } {
  return blocks.length > 1 ? { content: blocks.map((block) => ({ ...block })) } : {};
}
