/** Entries of a recording in their order, held back while one before them is not decided. */

/** An entry, whose text is known once it is ready. */
export type Entry = { readonly isReady: () => boolean; readonly text: () => string };

/** More entries are not held back. */
const MAX_HELD = 1000;

/**
 * None is held back for longer, in ms: should the bridge be killed after a text has stood still for a
 * while, what happened meanwhile is what somebody wants to know.
 */
const MAX_HELD_MS = 10_000;

export type HeldEntriesOptions = {
  readonly write: (text: string) => void;
  /** Makes every entry ready. */
  readonly decideAll: () => void;
  /** In ms. */
  readonly now: () => number;
};

export class HeldEntries {
  readonly #options: HeldEntriesOptions;
  readonly #held: { readonly entry: Entry; readonly since: number }[] = [];

  constructor(options: HeldEntriesOptions) {
    this.#options = options;
  }

  /** Adds one, and writes those that are ready. Whatever waits for too long is decided before. */
  add(build: () => Entry): void {
    const { decideAll, now } = this.#options;
    const since = now();
    const [oldest] = this.#held;
    const isOld = oldest !== undefined && since - oldest.since > MAX_HELD_MS;
    if (isOld || this.#held.length >= MAX_HELD) {
      decideAll();
      this.#writeReady();
    }
    this.#held.push({ entry: build(), since });
    this.#writeReady();
  }

  /** Writes what is left. */
  end(): void {
    for (const { entry } of this.#held.splice(0)) this.#options.write(entry.text());
  }

  #writeReady(): void {
    for (let [first] = this.#held; first?.entry.isReady() === true; [first] = this.#held) {
      this.#options.write(first.entry.text());
      this.#held.shift();
    }
  }
}
