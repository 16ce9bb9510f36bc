/** When a connection is tried again, and when one counts as lost. */

const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;

/** How often the host gives a sign of life on each connection. */
export const PING_MS = 15_000;

/** How long to wait before the next attempt, after so many that failed. `chance` from 0 to 1 spreads clients. */
export function retryDelayMs(failures: number, chance: number): number {
  const longest = Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** Math.min(failures, 16));
  return longest * (0.5 + chance / 2);
}

/** Calls back once, if nothing was heard for as long as two signs of life take. */
export class SilenceTimer {
  readonly #limitMs: number;
  readonly #onSilence: () => void;
  #timer: ReturnType<typeof setTimeout>;
  #heardAt = Date.now();

  constructor(pingMs: number, onSilence: () => void) {
    this.#limitMs = 2.5 * pingMs;
    this.#onSilence = onSilence;
    this.#timer = setTimeout(() => this.#check(), this.#limitMs);
  }

  /** Something was heard. Cheap, since every frame calls it. */
  reset(): void {
    this.#heardAt = Date.now();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #check(): void {
    const leftMs = this.#heardAt + this.#limitMs - Date.now();
    if (leftMs <= 0) this.#onSilence();
    else this.#timer = setTimeout(() => this.#check(), leftMs);
  }
}
