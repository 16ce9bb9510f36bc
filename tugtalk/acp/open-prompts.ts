/**
 * The client's prompts that have no answer yet, and how each is answered. The answer to the last prompt waits
 * for the agents in the background that its turn has started.
 */
import type { PromptResponse, StopReason } from "@agentclientprotocol/sdk";
import type { AssistantText } from "../src/messages/content-messages.ts";
import type { Unstamped } from "../src/messages/envelope.ts";
import type { ErrorMessage } from "../src/messages/error-message.ts";
import type { MessageStatus, TurnCancelled, TurnComplete } from "../src/messages/turn-messages.ts";
import { type BackgroundAgents, hasAgents, waitOf } from "./background-agents.ts";
import { AcpError } from "./json-rpc.ts";
import { late } from "./late.ts";

const answers = late(() => require("./prompt-answers.ts") as typeof import("./prompt-answers.ts"));

/**
 * Where the answer to a prompt goes. It is called with the message that ends the turn, and not later, so
 * that nothing of the next turn comes before the answer.
 */
export type Reply = {
  readonly resolve: (response: PromptResponse) => void;
  readonly reject: (error: AcpError) => void;
};

type Open = Reply & {
  /** The client has asked for its end, so no other answer is right. */
  isCancelled: boolean;
  /** No turn will have it: unless it is given up, its answer follows the answers to the prompts before it. */
  isOver: boolean;
};

/** A turn that has ended, whose prompts have no answer yet. */
type Held = {
  readonly turnId: string;
  readonly messageIds: readonly string[];
};

type Turn = Pick<TurnComplete, "turn_id" | "trigger" | "message_ids">;

export type HoldOptions = {
  readonly isHolding: boolean;
  /** Calls back after a time; the result stops that. */
  readonly after: (ms: number, run: () => void) => () => void;
};

/** The receipts that say that no turn will have the message. */
const FINAL: ReadonlySet<string> = new Set(["rejected", "failed", "cancelled"]);

/** How long Claude may take to begin its turn about the end of an agent. */
const OWN_TURN_MS = 5_000;

export class OpenPrompts {
  readonly #options: HoldOptions;
  #held: Held | undefined;
  #stopTimer: (() => void) | undefined;
  /** Interrupts under way that stop agents, too. */
  #stops = 0;
  /** By the id of the message, in the order in which they came. */
  readonly #open = new Map<string, Open>();
  /** Why a message was refused; its receipt follows. */
  readonly #refusals = new Map<string, AcpError>();
  /** The prompts that the client has withdrawn. */
  readonly #withdrawn = new Set<string>();
  /** The open turns that the bridge takes for turns of prompts, each with its prompts. */
  readonly #turns = new Map<string, readonly string[]>();
  /**
   * The name of the last error of the API in the open turn: Claude's, or the bridge's if it interrupts the
   * turn.
   */
  #failure: string | undefined;

  constructor(options: HoldOptions) {
    this.#options = options;
  }

  /** Waits for the answer to the prompt that became this message. Answers the held prompts. */
  add(messageId: string, reply: Reply): void {
    this.#endHold();
    this.#open.set(messageId, { ...reply, isCancelled: false, isOver: false });
  }

  /** The answer to this prompt, or to all, is `cancelled`, however the turn ends. */
  cancel(messageId?: string): void {
    for (const [id, open] of this.#open)
      if (messageId === undefined || id === messageId) open.isCancelled = true;
  }

  /** An interrupt stops agents: a cancelled prompt is answered behind their ends. Call the result when it is done. */
  stopAgents(): () => void {
    this.#stops += 1;
    return () => {
      this.#stops -= 1;
      if (this.#held !== undefined && this.#isCancelled(this.#held.messageIds)) this.#endHold();
    };
  }

  /** Whether a turn that was cancelled has left agents that no interrupt stops: they began behind it. */
  leavesAgents({ turn_id, message_ids }: Turn, agents: BackgroundAgents): boolean {
    const isStopping = this.#stops > 0;
    return !isStopping && this.#isCancelled(message_ids) && hasAgents(agents, turn_id);
  }

  /** Gives Claude a prompt that had to wait, unless it was cancelled meanwhile. */
  enter(messageId: string, give: () => void): void {
    if (this.#isCancelled([messageId])) this.#over(messageId);
    else if (this.#open.has(messageId)) give();
  }

  /** A turn of a prompt is open. */
  get isInTurn(): boolean {
    return this.#turns.size > 0;
  }

  /** It is open, and the client has not cancelled it. */
  isKept(messageId: string): boolean {
    return this.#open.get(messageId)?.isCancelled === false;
  }

  /** The client gives a prompt up: it has this error if it never becomes part of a turn. */
  withdraw(messageId: string): void {
    if (this.#open.has(messageId)) this.#withdrawn.add(messageId);
  }

  /** An error of the bridge about a message, or about the open turn. */
  refused({ message_id: id, message, code }: Unstamped<ErrorMessage>): void {
    if (code === "claude_unresponsive" && this.isInTurn) this.#failure = code;
    if (id === undefined || !this.#open.has(id)) return;
    const isContent = code === "attachment_rejected" || code === "message_rejected";
    const error = new AcpError(
      isContent ? "invalidParams" : "internal",
      message,
      answers().dataOf(code),
    );
    this.#refusals.set(id, error);
  }

  /** A receipt that is final ends a prompt that is in no turn. */
  receipt(receipt: Unstamped<MessageStatus>): void {
    const { message_id: id, status } = receipt;
    if (!FINAL.has(status)) return;
    const loss = answers().lossIn(receipt);
    if (loss !== undefined) this.#fail(id, this.#refusals.get(id) ?? loss);
    else if (status === "cancelled") this.#over(id);
  }

  started({ turn_id, trigger, message_ids }: Turn): void {
    if (trigger === "user") this.#turns.set(turn_id, message_ids);
  }

  /** A text of Claude's, which may be about an error of the API. */
  said({ error }: Unstamped<AssistantText>): void {
    this.#failure = error ?? this.#failure;
  }

  completed(turn: Unstamped<TurnComplete>, agents: BackgroundAgents): void {
    const { turn_id: turnId, message_ids: messageIds } = turn;
    const isUsual = turn.result === "success" && turn.stop_reason === "end_turn";
    const stop = isUsual ? "end_turn" : answers().stopReasonOf(turn, this.#failure);
    this.#ended(turn);
    if (this.#isToBeHeld(turn, stop, agents)) {
      this.#held = { turnId, messageIds };
      return;
    }
    for (const id of messageIds) {
      if (stop instanceof AcpError) this.#fail(id, stop);
      else this.#answer(id, stop);
    }
  }

  /** Answers the held prompts, as soon as they have nothing left to wait for. */
  watch(agents: BackgroundAgents): void {
    if (this.#held === undefined) return;
    const wait = waitOf(agents, this.#held.turnId);
    if (wait === undefined) this.#endHold();
    else if (wait === "agents") this.#clearTimer();
    else this.#stopTimer ??= this.#options.after(OWN_TURN_MS, () => this.#endHold());
  }

  /** Claude has ended while its agents ran. */
  exited(): void {
    const { messageIds = [] } = this.#held ?? {};
    for (const id of messageIds) this.#fail(id, answers().brokenBy("exited"));
    this.#endHold();
  }

  /** A turn ends without a result: a command of the session, its end, or a failure has broken it off. */
  broken(turn: Unstamped<TurnCancelled>): void {
    const { reason, message_ids } = turn;
    this.#ended(turn);
    for (const id of message_ids) {
      if (reason === "shutdown" || reason === "session_command") this.#answer(id, "cancelled");
      else this.#fail(id, answers().brokenBy(reason));
    }
  }

  /** The session is over: answers all prompts that are left. */
  end(): void {
    for (const id of [...this.#open.keys()]) this.#answer(id, "cancelled");
    this.#endHold();
  }

  /** Answers the prompts that are held. */
  #endHold(): void {
    const held = this.#held;
    this.#held = undefined;
    this.#clearTimer();
    if (held !== undefined) for (const id of held.messageIds) this.#answer(id, "end_turn");
  }

  #isToBeHeld(
    { turn_id, message_ids: ids }: Unstamped<TurnComplete>,
    stop: StopReason | AcpError,
    agents: BackgroundAgents,
  ): boolean {
    if (ids.length === 0) return false;
    if (this.#isCancelled(ids)) return this.#stops > 0 && hasAgents(agents, turn_id);
    const isLast = this.#open.size === ids.length;
    return (
      isLast &&
      stop === "end_turn" &&
      this.#options.isHolding &&
      waitOf(agents, turn_id) !== undefined
    );
  }

  /** Earlier prompts are answered before the prompts of the turn. */
  #ended({ turn_id, message_ids }: Turn): void {
    this.#turns.delete(turn_id);
    this.#failure = undefined;
    if (message_ids.length > 0) this.#endHold();
    this.#answerOver();
  }

  /** Whether a turn is open that the bridge takes for a turn of prompts, but that is Claude's own. */
  get #isInOwnTurn(): boolean {
    const isOfPrompt = (id: string) => this.#open.get(id)?.isOver === false;
    return this.#turns.values().some((ids) => !ids.some(isOfPrompt));
  }

  #clearTimer(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #isCancelled(ids: readonly string[]): boolean {
    return ids.some((id) => this.#open.get(id)?.isCancelled);
  }

  #over(id: string): void {
    const open = this.#open.get(id);
    if (open !== undefined) open.isOver = true;
    this.#answerOver();
  }

  /**
   * Answers the prompts that no turn will have: each that was withdrawn, and any that is the oldest. While a turn
   * goes on that the bridge has taken for theirs, they wait.
   */
  #answerOver(): void {
    if (this.#isInOwnTurn) return;
    for (const [id, { isOver }] of this.#open)
      if (isOver && this.#withdrawn.has(id)) this.#fail(id, answers().withdrawn());
    const [first] = this.#open;
    if (first?.[1].isOver) this.#answer(first[0], "cancelled");
  }

  #answer(id: string, stopReason: StopReason): void {
    const open = this.#take(id);
    open?.resolve({ stopReason: open.isCancelled ? "cancelled" : stopReason });
    this.#answerOver();
  }

  #fail(id: string, error: AcpError): void {
    const open = this.#take(id);
    if (open?.isCancelled) open.resolve({ stopReason: "cancelled" });
    else open?.reject(error);
    this.#answerOver();
  }

  #take(id: string): Open | undefined {
    const open = this.#open.get(id);
    this.#open.delete(id);
    this.#refusals.delete(id);
    this.#withdrawn.delete(id);
    return open;
  }
}
