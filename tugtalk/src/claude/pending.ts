/**
 * The table of unanswered requests. An entry is looked up and removed in one step, so that each request
 * ends once: answered, timed out or failed with its process.
 */

import type { Clock } from "../base/clock.ts";

export type Settlement<Answer> =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "timed_out" }
  | { readonly kind: "failed"; readonly error: string };

type Wait<Answer> = {
  readonly settle: (settlement: Settlement<Answer>) => void;
  readonly timer: unknown;
};

/** Callbacks instead of promises: an answer is applied in the order of Claude's lines. */
export class PendingRequests<Answer> {
  readonly #waiting = new Map<string, Wait<Answer>>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a request. Call it before sending, or a quick answer is lost. */
  open(id: string, timeoutMs: number, settle: (settlement: Settlement<Answer>) => void): void {
    const timer = this.#clock.setTimer(() => this.#close(id, { kind: "timed_out" }), timeoutMs);
    this.#waiting.set(id, { settle, timer });
  }

  /** Settles a request with an answer. False for a late, repeated or unknown one. */
  answer(id: string, answer: Answer): boolean {
    return this.#close(id, { kind: "answered", answer });
  }

  /** Fails every request: the process exited. */
  failAll(error: string): void {
    for (const id of [...this.#waiting.keys()]) this.#close(id, { kind: "failed", error });
  }

  get size(): number {
    return this.#waiting.size;
  }

  #close(id: string, settlement: Settlement<Answer>): boolean {
    const wait = this.#waiting.get(id);
    if (wait === undefined) return false;
    this.#waiting.delete(id);
    this.#clock.clearTimer(wait.timer);
    wait.settle(settlement);
    return true;
  }
}
