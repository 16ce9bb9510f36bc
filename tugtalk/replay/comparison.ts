/**
 * Compares the actions of the bridge in a replay with the recorded ones, in order, on one pipe. A line more
 * or less makes one difference, not one for each line after it.
 */
import { MASK_CHAR } from "../src/recording/masking/mask-text.ts";
import type { Act } from "./timeline.ts";

/** One difference. Without `was` the act is new; without `is` it is missing. */
export type Difference = { readonly was?: Act; readonly is?: Act };

export class Comparison {
  readonly #recorded: readonly Act[];
  readonly #isCut: boolean;
  readonly #mayAddFields: boolean;
  readonly #differences: Difference[] = [];
  #next = 0;
  #due = 0;

  /**
   * With `isCut` no act after the end of the recording is a difference; with `mayAddFields` no field that the
   * recording lacks.
   */
  constructor(recorded: readonly Act[], isCut: boolean, mayAddFields = false) {
    this.#recorded = recorded;
    this.#isCut = isCut;
    this.#mayAddFields = mayAddFields;
  }

  /** The number of recorded acts that are matched or missing. */
  get reached(): number {
    return this.#next;
  }

  /** This number of the recorded acts has to come by now. */
  expect(due: number): void {
    this.#due = due;
  }

  /** The bridge performs this act in the replay. */
  note(act: Act): void {
    const at = this.#find(act);
    if (at !== undefined) {
      this.#skip(at);
      this.#next += 1;
      return;
    }
    if (this.#isCut && this.#next === this.#recorded.length) return;
    const was = this.#next < this.#due ? this.#recorded[this.#next] : undefined;
    const isChanged = was !== undefined && kindOf(was) === kindOf(act);
    this.#differences.push(isChanged ? { was, is: act } : { is: act });
    if (isChanged) this.#next += 1;
  }

  /** All differences, once the recording has been played. */
  finish(): readonly Difference[] {
    this.#skip(this.#due);
    return this.#differences;
  }

  /** The place of an act in the recording: the next one, or a later due one. */
  #find(act: Act): number | undefined {
    const end = Math.max(this.#due, this.#next + 1);
    for (let at = this.#next; at < end; at += 1)
      if (isSame(this.#recorded[at], act, this.#mayAddFields)) return at;
    return undefined;
  }

  /** Reports the acts up to here as missing. */
  #skip(end: number): void {
    for (const was of this.#recorded.slice(this.#next, end)) this.#differences.push({ was });
    this.#next = Math.max(this.#next, end);
  }
}

/** The type of a message, or the direction of an entry. */
export function kindOf({ type, dir }: Act): unknown {
  return type ?? dir;
}

/**
 * Whether two JSON values are the same. A mask in the recorded one stands for any text of its length. With
 * `mayAddFields` an object may have fields that the recorded one lacks.
 */
export function isSame(was: unknown, is: unknown, mayAddFields = false): boolean {
  if (typeof was === "string" && typeof is === "string") return isSameText(was, is);
  if (typeof was !== "object" || typeof is !== "object" || was === null || is === null)
    return Object.is(was, is);
  if (Array.isArray(was) !== Array.isArray(is)) return false;
  const fields = new Map(Object.entries(is));
  const entries = Object.entries(was);
  const mayBeMore = mayAddFields && !Array.isArray(was);
  if (entries.length !== fields.size && !mayBeMore) return false;
  return entries.every(
    ([key, value]) => fields.has(key) && isSame(value, fields.get(key), mayAddFields),
  );
}

const UNMASKED = new RegExp(`[^${MASK_CHAR}]+`, "g");

function isSameText(was: string, is: string): boolean {
  if (was === is) return true;
  if (was.length !== is.length || !was.includes(MASK_CHAR)) return false;
  return [...was.matchAll(UNMASKED)].every(({ index, 0: text }) => is.startsWith(text, index));
}
