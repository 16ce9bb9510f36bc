/** Which turns are folded to one line, by session. Forgotten with the page. */
import { type Signal, signal } from "@preact/signals";

type Folding = { readonly isAll: boolean; readonly except: ReadonlySet<string> };

const UNFOLDED: Folding = { isAll: false, except: new Set() };

export class Folds {
  readonly #folding: Signal<Folding> = signal(UNFOLDED);

  /** Whether all but the latest turn are folded, unless they were opened since. */
  get isAll(): boolean {
    return this.#folding.value.isAll;
  }

  /** A forgotten turn is, unless it was opened. */
  isFolded(key: string, isForgotten = false): boolean {
    const { isAll, except } = this.#folding.value;
    return (isAll || isForgotten) !== except.has(key);
  }

  /** Folds an open part, and the other way round. */
  toggle(key: string): void {
    const { isAll, except } = this.#folding.value;
    this.#folding.value = { isAll, except: except.symmetricDifference(new Set([key])) };
  }

  foldAll(isAll: boolean): void {
    this.#folding.value = { ...UNFOLDED, isAll };
  }
}

export class FoldsBySession {
  readonly #folds = new Map<string, Folds>();

  of(sessionId: string): Folds {
    const known = this.#folds.get(sessionId) ?? new Folds();
    this.#folds.set(sessionId, known);
    return known;
  }
}
