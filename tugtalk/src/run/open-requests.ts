/**
 * All requests of Claude in a run, to a person and to the host's program, for which it waits. They
 * are refused or closed when Claude stops waiting, or cannot be answered.
 */
import type { Asker } from "../conversation/askers.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { ControlRequestCancel } from "../messages/prompt-messages.ts";
import type { RunState } from "./run-state.ts";

export type CancelReason = ControlRequestCancel["reason"];

/** A request of Claude's that the host has not answered. */
export type OpenRequest = {
  /** Claude's own id of it. */
  readonly claudeId: string;
  readonly asker: Asker;
  /** Answers Claude in the place of the host, because the turn or the session is over, and closes it. */
  readonly refuse: (over: "turn" | "session", reason: CancelReason) => void;
  /** Closes it towards the host: Claude waits for no answer. */
  readonly cancel: (reason: CancelReason) => void;
};

/** Has requests open, which may close while they are read. */
export type RequestHolder = { readonly openRequests: Iterable<OpenRequest> };

export type OpenRequestDeps = {
  readonly conversation: Conversation;
  readonly state: Pick<RunState, "isEnding">;
};

export class OpenRequests {
  readonly #deps: OpenRequestDeps;
  readonly #holders: readonly RequestHolder[];

  constructor(deps: OpenRequestDeps, ...holders: readonly RequestHolder[]) {
    this.#deps = deps;
    this.#holders = holders;
  }

  /** Whether Claude waits for an answer of the host at all. */
  get isAsking(): boolean {
    return this.#open().next().done !== true;
  }

  /** Whether the open turn may wait for an answer of the host. */
  isAskingIn(turnId: string | undefined): boolean {
    const { askers } = this.#deps.conversation;
    for (const { asker } of this.#open()) if (askers.mayBeOf(turnId, asker)) return true;
    return false;
  }

  /** Claude withdraws a request, by its own id. */
  withdraw(id: string): void {
    for (const { claudeId, cancel } of this.#open())
      if (claudeId === id) cancel(this.#turnEndReason);
  }

  /** Refuses that for which everything that may have asked is over, or ends with this turn. */
  refuseOrphans(endingTurn?: string): void {
    const { conversation, state } = this.#deps;
    if (state.isEnding) return;
    for (const { asker, refuse } of this.#open())
      if (conversation.askers.isOver(asker, endingTurn)) refuse("turn", this.#turnEndReason);
  }

  /**
   * Refuses all requests, before Claude's stdin is closed. Later requests stay open until the process is
   * gone.
   */
  refuseAll(): void {
    if (this.#deps.state.isEnding) return;
    for (const { refuse } of this.#open()) refuse("session", "interrupted");
  }

  /** The process is gone: nothing waits for an answer. */
  endRun(): void {
    for (const { cancel } of this.#open()) cancel("exited");
  }

  /** Why a request that Claude has not waited for to the end is closed: an interrupt counts until its turn has ended. */
  get #turnEndReason(): CancelReason {
    return this.#deps.conversation.turns.view?.isInterrupted === true ? "interrupted" : "withdrawn";
  }

  *#open(): Generator<OpenRequest> {
    for (const { openRequests } of this.#holders) yield* openRequests;
  }
}
