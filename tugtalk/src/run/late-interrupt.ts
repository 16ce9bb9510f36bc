/**
 * An interrupt that came before its turn had begun. Claude takes note of it and leaves the message in
 * its own queue, so the turn would run all the same: it is interrupted again once it begins.
 */
import type { Turns } from "../conversation/turns.ts";

export class InterruptRetry {
  readonly #turns: Turns;
  readonly #interrupt: () => void;
  #dueIn: string | undefined;

  constructor(turns: Turns, interrupt: () => void) {
    this.#turns = turns;
    this.#interrupt = interrupt;
  }

  /** Claude has answered an interrupt, and still has these messages before it. */
  note(stillQueued: readonly string[]): void {
    const isOfTurn = this.#turns.isFor(stillQueued);
    this.#dueIn = isOfTurn ? this.#turns.openTurnId : undefined;
    this.look();
  }

  /** Interrupts the turn if it has begun, and forgets it if it is no longer the open one. */
  look(): void {
    if (this.#dueIn === undefined) return;
    const isSame = this.#dueIn === this.#turns.openTurnId;
    if (isSame && !this.#turns.hasBegun) return;
    this.#dueIn = undefined;
    if (isSame) this.#interrupt();
  }
}
