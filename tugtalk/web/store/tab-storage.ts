/** Keeps texts for this tab, where no other tab changes them, and for the tab that is opened next. */

export type TextStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export class TabStorage implements TextStorage {
  readonly #own: TextStorage;
  readonly #shared: TextStorage;

  /** `own` belongs to this tab, `shared` to all. */
  constructor(own: TextStorage, shared: TextStorage) {
    this.#own = own;
    this.#shared = shared;
  }

  getItem(key: string): string | null {
    return this.#own.getItem(key) ?? this.#shared.getItem(key);
  }

  setItem(key: string, text: string): void {
    this.#own.setItem(key, text);
    this.#shared.setItem(key, text);
  }

  /** What another tab has written stays. */
  removeItem(key: string): void {
    if (this.#shared.getItem(key) === this.#own.getItem(key)) this.#shared.removeItem(key);
    this.#own.removeItem(key);
  }
}
