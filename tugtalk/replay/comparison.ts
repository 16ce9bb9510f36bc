/**
 * What the bridge does when it is played against what it did then, in order, on one pipe. A line more
 * or less makes one difference, not one for each line after it.
 */
import type { Act } from "./timeline.ts";

/** What is not as it was. `was` absent: it is new; `is` absent: it is missing. */
export type Difference = { readonly was?: Act; readonly is?: Act };

export type ComparisonOptions = {
  /** The acts in which something was masked. */
  readonly masked: ReadonlySet<unknown>;
  /** What comes after the end of the recording is not known, so it is no difference. */
  readonly isCut: boolean;
};

export class Comparison {
  readonly #then: readonly Act[];
  readonly #options: ComparisonOptions;
  readonly #differences: Difference[] = [];
  #next = 0;
  #due = 0;

  constructor(then: readonly Act[], options: ComparisonOptions) {
    this.#then = then;
    this.#options = options;
  }

  /** How many acts of the recording have been matched, or given up. */
  get reached(): number {
    return this.#next;
  }

  /** So many of the recording have been done by the time that is played. */
  expect(due: number): void {
    this.#due = due;
  }

  /** The bridge does this when it is played. */
  note(now: Act): void {
    const at = this.#find(now);
    if (at !== undefined) {
      this.#giveUp(at);
      this.#next += 1;
      return;
    }
    if (this.#options.isCut && this.#next === this.#then.length) return;
    const then = this.#next < this.#due ? this.#then[this.#next] : undefined;
    if (then === undefined || kindOf(then) !== kindOf(now)) {
      this.#differences.push({ is: now });
      return;
    }
    this.#differences.push({ was: then, is: now });
    this.#next += 1;
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

  #isAt(at: number, now: Act): boolean {
    const then = this.#then[at];
    return then !== undefined && isSame(then, now, this.#options.masked.has(then));
  }

  #giveUp(until: number): void {
    const missing = this.#then.slice(this.#next, until);
    for (const was of missing) this.#differences.push({ was });
    this.#next = Math.max(this.#next, until);
  }
}

function kindOf({ type, act }: Act): unknown {
  return type ?? act;
}

/** Whether two values are the same. Where something is masked, stars stand for any text of their length. */
export function isSame(then: unknown, now: unknown, isMasked: boolean): boolean {
  if (typeof then === "string" && typeof now === "string")
    return then === now || (isMasked && isSameText(then, now));
  if (typeof then !== "object" || typeof now !== "object" || then === null || now === null)
    return Object.is(then, now);
  if (Array.isArray(then) !== Array.isArray(now)) return false;
  const fields = new Map(Object.entries(now));
  const entries = Object.entries(then);
  if (entries.length !== fields.size) return false;
  return entries.every(
    ([key, value]) => fields.has(key) && isSame(value, fields.get(key), isMasked),
  );
}

function isSameText(then: string, now: string): boolean {
  if (then.length !== now.length) return false;
  return [...then.matchAll(/[^*]+/g)].every(({ index, 0: text }) => now.startsWith(text, index));
}
