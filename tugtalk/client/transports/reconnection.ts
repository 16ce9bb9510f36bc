/** When a connection is tried again, and when one counts as lost. */

const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;

/** How often the host gives a sign of life on each connection. */
export const PING_MS = 15_000;

/**
 * How long to wait before the next attempt, after this many failed ones. `chance` from 0 to 1 spreads
 * clients.
 */
export function retryDelayMs(failures: number, chance: number): number {
  const longest = Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** failures);
  return longest * (0.5 + chance / 2);
}

/** How often it is checked whether something was heard, for each sign of life that is due. */
const CHECKS_PER_PING = 2;

/** At two and a half signs of life that did not come, two are missing for certain. */
const MAX_SILENT_CHECKS = 2.5 * CHECKS_PER_PING;

/**
 * Calls back once, if nothing was heard for as long as two signs of life take. It counts checks instead of
 * time: while this process stands still, or the machine sleeps, nothing can be heard.
 */
export class SilenceTimer {
  readonly #onSilence: () => void;
  readonly #timer: ReturnType<typeof setInterval>;
  #silentChecks = 0;

  constructor(pingMs: number, onSilence: () => void) {
    this.#onSilence = onSilence;
    this.#timer = setInterval(() => this.#check(), pingMs / CHECKS_PER_PING);
  }

  /** Something was heard. */
  reset(): void {
    this.#silentChecks = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    this.#silentChecks += 1;
    if (this.#silentChecks < MAX_SILENT_CHECKS) return;
    this.stop();
    this.#onSilence();
  }
}
