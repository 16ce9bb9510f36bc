/** All that Claude has asked in a run and waits for: of a person, and of the host's program. */
import type { Conversation } from "../conversation/conversation.ts";

/** What one of them must do when Claude stops waiting, or can no longer be answered. */
export type Waiting = {
  /** Claude withdraws a request, by its own id. */
  readonly withdraw: (requestId: string) => void;
  /** Refuses that for which everything that may have asked is over, or ends with this turn. */
  readonly refuseOrphans: (endingTurn?: string) => void;
  /** Refuses everything, before Claude's stdin is closed. */
  readonly refuseAll: () => void;
  /** Claude reads no further answer: what is open stays open until the process is gone. */
  readonly recordOutputEnd: () => void;
  /** The process is gone: nothing waits for an answer. */
  readonly endRun: () => void;
};

/** Why a request that Claude has not waited for to the end is closed: an interrupt counts until its turn has ended. */
export function turnEndReason({ turns }: Conversation): "interrupted" | "withdrawn" {
  return turns.view?.isInterrupted === true ? "interrupted" : "withdrawn";
}

/** Does the same to each of them, in order. */
export function everyAsked(...all: readonly Waiting[]): Waiting {
  const each = (act: (one: Waiting) => void) => {
    for (const one of all) act(one);
  };
  return {
    withdraw: (requestId) => each((one) => one.withdraw(requestId)),
    refuseOrphans: (endingTurn) => each((one) => one.refuseOrphans(endingTurn)),
    refuseAll: () => each((one) => one.refuseAll()),
    recordOutputEnd: () => each((one) => one.recordOutputEnd()),
    endRun: () => each((one) => one.endRun()),
  };
}
