/** The messages that have arrived and are not taken yet. */

type Entry<Message> = { readonly message: Message; readonly chars: number };

type Taker<Message> = {
  readonly resolve: (result: IteratorResult<Message, undefined>) => void;
  readonly reject: (error: Error) => void;
};

/** Gives every message to one taker, in order. */
export class IncomingMessages<Message> implements AsyncIterable<Message> {
  readonly #onTake: () => void;
  readonly #takers: Taker<Message>[] = [];
  #entries: Entry<Message>[] = [];
  /** The index of the next entry. Removing each one would move all others. */
  #next = 0;
  #chars = 0;
  #end: { readonly error: Error | undefined } | undefined;

  /** `onTake` is called after each message taken from the queue. */
  constructor(onTake: () => void) {
    this.#onTake = onTake;
  }

  /** The size of the queue, in characters. */
  get chars(): number {
    return this.#chars;
  }

  add(message: Message, chars: number): void {
    const taker = this.#takers.shift();
    if (taker !== undefined) {
      taker.resolve({ done: false, value: message });
      return;
    }
    this.#entries.push({ message, chars });
    this.#chars += chars;
  }

  /** No message follows. Takers get an error after the last message. */
  end(error?: Error): void {
    if (this.#end !== undefined) return;
    this.#end = { error };
    for (const taker of this.#takers.splice(0)) this.#finish(taker);
  }

  /** A loop that is left can be continued by another loop. */
  [Symbol.asyncIterator](): AsyncIterator<Message, undefined> {
    return { next: () => new Promise((resolve, reject) => this.#take({ resolve, reject })) };
  }

  #take(taker: Taker<Message>): void {
    const entry = this.#entries[this.#next];
    if (entry === undefined) {
      if (this.#end === undefined) this.#takers.push(taker);
      else this.#finish(taker);
      return;
    }
    this.#next += 1;
    this.#chars -= entry.chars;
    this.#forget();
    taker.resolve({ done: false, value: entry.message });
    this.#onTake();
  }

  #finish({ resolve, reject }: Taker<Message>): void {
    if (this.#end?.error === undefined) resolve({ done: true, value: undefined });
    else reject(this.#end.error);
  }

  /** Drops the taken entries, once they are the larger half. */
  #forget(): void {
    if (this.#next * 2 < this.#entries.length) return;
    this.#entries = this.#entries.slice(this.#next);
    this.#next = 0;
  }
}
