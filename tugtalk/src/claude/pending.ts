/**
 * What we asked Claude and have no answer to yet. Register before sending; look up and remove in
 * one step, so that each request ends once: answered, timed out or failed with its process.
 */

import type { Clock } from "../base/clock.ts";

/** How one wait ends. */
export type Settlement<Answer> =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "timed_out" }
  | { readonly kind: "failed"; readonly error: string };

type Wait<Answer> = {
  readonly settle: (settlement: Settlement<Answer>) => void;
  readonly timer: unknown;
};

/** The table of our open requests. Callbacks, not promises: an answer is applied in its place in the stream. */
export class PendingRequests<Answer> {
  readonly #waiting = new Map<string, Wait<Answer>>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Starts the wait for `id`. Call it before sending, or a quick answer finds nobody waiting. */
  open(id: string, timeoutMs: number, settle: (settlement: Settlement<Answer>) => void): void {
    const timer = this.#clock.setTimer(() => this.#close(id, { kind: "timed_out" }), timeoutMs);
    this.#waiting.set(id, { settle, timer });
  }

  /** Ends the wait for `id` with an answer. False: late, repeated or never ours. */
  answer(id: string, answer: Answer): boolean {
    return this.#close(id, { kind: "answered", answer });
  }

  /** Fails every wait. For when Claude is gone and no answer can come. */
  failAll(error: string): void {
    for (const id of [...this.#waiting.keys()]) this.#close(id, { kind: "failed", error });
  }

  /** How many answers are awaited. */
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
