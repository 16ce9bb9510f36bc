/**
 * What Claude asks in one run, from its request to the answer that is written: told to the host,
 * answered, withdrawn, expired, refused. What an answer means is decided in `permissions.ts`.
 * Contract, guarantee 4.
 */
import type { Clock } from "./clock.ts";
import { type LineSink, sendControlResponse } from "./control.ts";
import type { Conversation } from "./conversation.ts";
import {
  type Decision,
  expiredAnswer,
  MAX_OPEN_PROMPTS,
  PermissionManager,
  type Prompt,
} from "./permissions.ts";
import { parsePersonRequest } from "./person-request.ts";
import type { ControlRequest } from "./protocol-types.ts";
import type { RecentIds } from "./recent-ids.ts";
import { type Refusal, refuse, refuseExcess } from "./refusal.ts";
import type { OutboundDraft } from "./types.ts";

export type PromptOptions = {
  readonly clock: Clock;
  /** The ids of settled prompts, of earlier processes too. */
  readonly settledPrompts: RecentIds;
  /** How long a prompt may stay open, in ms; undefined: for ever. */
  readonly promptTimeoutMs: number | undefined;
  /** The kinds of dialog that the host can show. */
  readonly dialogs: readonly string[];
};

/** Where prompts come from and go to. */
export type PromptEnds = {
  readonly claude: LineSink;
  readonly conversation: Conversation;
  readonly emit: (message: OutboundDraft) => void;
};

/** A decision that can be carried out. */
type Settled = Exclude<Decision, { problem: string }>;

export class Prompts {
  /** The open prompts, to decide what an answer of the host's means. */
  readonly permissions: PermissionManager;
  readonly #ends: PromptEnds;
  readonly #dialogs: readonly string[];
  #isOver = false;

  constructor(options: PromptOptions, ends: PromptEnds) {
    this.#ends = ends;
    this.#dialogs = options.dialogs;
    this.permissions = this.#newPermissions(options);
  }

  /** Takes a request of Claude's: a person is asked, or it is refused. */
  take(event: ControlRequest): void {
    const request = parsePersonRequest(event, this.#dialogs);
    if (request === undefined) {
      this.#refuse(refuse(event));
      return;
    }
    if (this.permissions.isFullFor(event.request_id)) {
      this.#refuse(refuseExcess(event, MAX_OPEN_PROMPTS));
      return;
    }
    // Claude's stdin is closed: it has failed the request by itself, and no answer would reach it.
    if (this.#isOver) return;
    const { asked, forward, agentId } = request;
    const { conversation, emit } = this.#ends;
    // Between turns it is a tool that the host itself has called which asks: no turn's end closes that.
    const isBetween = conversation.turns.openTurnId === undefined;
    const isBackground = isBetween || conversation.isBackground(agentId);
    if (this.permissions.open(event.request_id, asked, isBackground) === undefined) return;
    emit(conversation.place(forward, conversation.laneOf(agentId)));
  }

  /** Writes the answer to a prompt and closes it. */
  answer(requestId: string, { answer, outcome, endsTurn }: Settled, replyTo?: string): void {
    if (endsTurn && !this.permissions.isBackground(requestId)) this.noteInterrupt();
    this.permissions.close(requestId);
    sendControlResponse(this.#ends.claude, answer);
    this.#ends.emit({
      type: "control_request_resolved",
      request_id: requestId,
      outcome,
      ...(replyTo !== undefined && { in_reply_to: replyTo }),
    });
  }

  /** The open turn is being ended at the host's wish: its prompts and its result will say so. */
  noteInterrupt(): void {
    this.#ends.conversation.turns.noteInterrupt();
  }

  /** Claude takes a question back. */
  withdraw(requestId: string): void {
    this.#cancel(requestId, this.#reasonOr("withdrawn"));
  }

  /** The turn is over: what it asked needs no answer any more. */
  endTurn(): void {
    this.#closeAll(this.#reasonOr("withdrawn"), ({ isBackground }) => !isBackground);
  }

  /** The process is gone, or being ended: nothing that is asked can be answered any more. */
  endRun(): void {
    this.#isOver = true;
    this.#closeAll(this.#reasonOr("exited"), () => true);
  }

  /** An interrupt is one of a turn: what comes after that turn is not touched by it. */
  #reasonOr<Usual extends string>(usual: Usual): Usual | "interrupted" {
    return this.#ends.conversation.turns.view?.isInterrupted === true ? "interrupted" : usual;
  }

  #newPermissions({ settledPrompts, promptTimeoutMs, clock }: PromptOptions): PermissionManager {
    if (promptTimeoutMs === undefined) return new PermissionManager(settledPrompts);
    const onExpired = (prompt: Prompt) => this.#expire(prompt, promptTimeoutMs);
    return new PermissionManager(settledPrompts, { clock, timeoutMs: promptTimeoutMs, onExpired });
  }

  #refuse({ answer, message }: Refusal): void {
    if (answer !== undefined) sendControlResponse(this.#ends.claude, answer);
    this.#ends.emit(message);
  }

  #expire(prompt: Prompt, timeoutMs: number): void {
    if (!this.#cancel(prompt.requestId, "timeout")) return;
    if ("request" in prompt.asked && !prompt.isBackground) this.noteInterrupt();
    sendControlResponse(this.#ends.claude, expiredAnswer(prompt, timeoutMs));
  }

  #cancel(requestId: string, reason: "withdrawn" | "interrupted" | "timeout"): boolean {
    const wasOpen = this.permissions.close(requestId);
    if (wasOpen) this.#ends.emit({ type: "control_request_cancel", request_id: requestId, reason });
    return wasOpen;
  }

  #closeAll(
    reason: "withdrawn" | "interrupted" | "exited",
    which: (prompt: Prompt) => boolean,
  ): void {
    for (const message of this.permissions.closeAll(reason, which)) this.#ends.emit(message);
  }
}
