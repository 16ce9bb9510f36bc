/** A set of ids that remembers the newest ones only, so that it cannot grow for ever. */
export class RecentIds {
  readonly #ids = new Set<string>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(id: string): void {
    this.#ids.add(id);
    for (const oldest of this.#ids) {
      if (this.#ids.size <= this.#limit) return;
      this.#ids.delete(oldest);
    }
  }

  /** Forgets one. */
  delete(id: string): void {
    this.#ids.delete(id);
  }

  /** Forgets all. */
  clear(): void {
    this.#ids.clear();
  }

  /** How many are remembered. */
  get size(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }
}
