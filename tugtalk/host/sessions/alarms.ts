/**
 * Times at which sessions continue by themselves. The system's clock decides: a machine may sleep, and its
 * clock may be changed, which no timer notices.
 */

/** How often the clock is checked while a session waits. */
const CHECK_MS = 500;

export type AlarmsOptions = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls back once after a time, unless it is cancelled. */
  readonly schedule?: (run: () => void, ms: number) => () => void;
  /** The time of this session has come, or the clock has moved too far for it. */
  readonly ring: (id: string) => void;
  /** No time is farther away than this, unless the clock was set back. */
  readonly maxWaitMs: number;
};

export class Alarms {
  readonly #options: Required<AlarmsOptions>;
  readonly #times = new Map<string, number>();
  #cancel: (() => void) | undefined;

  constructor(options: AlarmsOptions) {
    this.#options = { schedule: scheduleTimer, ...options };
  }

  /** Sets the session's time, in the place of an earlier one; undefined: never. */
  set(id: string, at: number | undefined): void {
    if (at === undefined) this.#times.delete(id);
    else this.#times.set(id, at);
    if (this.#times.size === 0) this.close();
    else if (this.#cancel === undefined) this.#wait();
  }

  /** Cancels all times. */
  close(): void {
    this.#times.clear();
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wait(): void {
    const { now, schedule } = this.#options;
    const next = Math.min(...this.#times.values()) - now();
    this.#cancel = schedule(() => this.#check(), Math.min(Math.max(next, 0), CHECK_MS));
  }

  #check(): void {
    const { now, ring, maxWaitMs } = this.#options;
    this.#cancel = undefined;
    const [from, to] = [now(), now() + maxWaitMs];
    const due = [...this.#times].filter(([, at]) => at <= from || at > to).map(([id]) => id);
    for (const id of due) this.#times.delete(id);
    if (this.#times.size > 0) this.#wait();
    for (const id of due) ring(id);
  }
}

function scheduleTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
