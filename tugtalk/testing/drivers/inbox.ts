/** The messages that a test has received from one peer, and the waits for those to come. */

type Waiter<Item> = {
  /** How many items it need not look at again. */
  looked: number;
  readonly fits: (item: Item) => boolean;
  readonly resolve: (item: Item) => void;
  readonly reject: (error: Error) => void;
};

export class Inbox<Item> {
  readonly received: Item[] = [];
  readonly #waiters: Waiter<Item>[] = [];
  /** How many items come before the next one that may be waited for. */
  #seen = 0;
  #endError: Error | undefined;

  /** The first item that fits, after those already returned; rejects when the peer ends first. */
  next(fits: (item: Item) => boolean): Promise<Item> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ looked: 0, fits, resolve, reject });
      this.settle();
    });
  }

  /** Adds one item, and resolves the waits for it. */
  add(item: Item): void {
    this.received.push(item);
    this.settle();
  }

  /** Drops the items so far, for very long conversations. */
  forget(): void {
    this.received.length = 0;
    this.#seen = 0;
    for (const waiter of this.#waiters) waiter.looked = 0;
  }

  /** Nothing will follow: everything that waits fails. */
  end(error: Error): void {
    this.#endError = error;
    this.settle();
  }

  /** Resolves the waits for items that have arrived. */
  settle(): void {
    while (this.#waiters[0] !== undefined && this.#isResolved(this.#waiters[0]))
      this.#waiters.shift();
    if (this.#endError === undefined) return;
    for (const waiter of this.#waiters.splice(0)) waiter.reject(this.#endError);
  }

  #isResolved(waiter: Waiter<Item>): boolean {
    for (let at = Math.max(this.#seen, waiter.looked); at < this.received.length; at += 1) {
      const item = this.received[at];
      if (item === undefined || !waiter.fits(item)) continue;
      this.#seen = at + 1;
      waiter.resolve(item);
      return true;
    }
    waiter.looked = this.received.length;
    return false;
  }
}
