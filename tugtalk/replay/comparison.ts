/**
 * What the bridge does now against what it did then, in order, on one pipe. A line more or less makes
 * one difference, not one for each line after it.
 */
import type { Renaming } from "./renaming.ts";

/** One line of a pipe, or one act that is no line. */
export type Act = Readonly<Record<string, unknown>>;

/** What is not as it was. `was` absent: it is new; `is` absent: it is missing. */
export type Difference = { readonly was?: Act; readonly is?: Act };

export class Comparison {
  readonly #then: readonly Act[];
  readonly #renaming: Renaming;
  readonly #isCut: boolean;
  readonly #differences: Difference[] = [];
  readonly #early = new Set<number>();
  #next = 0;
  #due = 0;
  #near = 0;

  /** `isCut`: what comes after the end of the recording is not known, so it is no difference. */
  constructor(then: readonly Act[], options: { renaming: Renaming; isCut: boolean }) {
    this.#then = then;
    this.#renaming = options.renaming;
    this.#isCut = options.isCut;
  }

  /** How many acts of the recording have been matched, or given up. */
  get reached(): number {
    return this.#next;
  }

  /** So many of the recording have been done by the time that is played; up to `near` the next may be already. */
  expect(due: number, near: number): void {
    this.#due = due;
    this.#near = near;
  }

  /** The bridge does this now. */
  note(now: Act): void {
    const at = this.#find(now);
    if (at !== undefined) {
      this.#giveUp(at);
      this.#pass();
      return;
    }
    if (this.#isEarly(now)) return;
    if (this.#isCut && this.#next === this.#then.length) return;
    const then = this.#next < this.#due ? this.#then[this.#next] : undefined;
    if (then === undefined || kindOf(then) !== kindOf(now)) {
      this.#differences.push({ is: now });
      return;
    }
    this.#renaming.learnFrom(then, now);
    this.#differences.push({ was: then, is: now });
    this.#pass();
  }

  /** All differences, once the recording has been played. */
  finish(): readonly Difference[] {
    this.#giveUp(this.#due);
    return this.#differences;
  }

  /** The place of an act in the recording: the next one, or a later one that is due. */
  #find(now: Act): number | undefined {
    const last = Math.max(this.#due, this.#next + 1);
    for (let at = this.#next; at < last; at += 1) if (this.#isAt(at, now)) return at;
    return undefined;
  }

  /** Whether this was done in its recording, too, only a moment later. */
  #isEarly(now: Act): boolean {
    for (let at = this.#next + 1; at < this.#near; at += 1) {
      if (!this.#isAt(at, now)) continue;
      this.#early.add(at);
      return true;
    }
    return false;
  }

  #isAt(at: number, now: Act): boolean {
    const then = this.#then[at];
    return then !== undefined && !this.#early.has(at) && this.#renaming.isSame(then, now);
  }

  #giveUp(until: number): void {
    while (this.#next < until) {
      const then = this.#then[this.#next];
      if (then !== undefined) this.#differences.push({ was: then });
      this.#pass();
    }
  }

  /** To the next one that has not been done already. */
  #pass(): void {
    do this.#next += 1;
    while (this.#early.delete(this.#next));
  }
}

function kindOf({ type, act }: Act): unknown {
  return type ?? act;
}
