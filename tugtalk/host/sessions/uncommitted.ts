/**
 * How much of what a bridge has said is not in the journal yet. Whoever reads the bridge waits while that is
 * too much: then its pipe fills, and Claude waits, too.
 */

/** More than comes at once by a pipe, so that a quick journal is never waited for. */
const MAX_MESSAGES = 512;
const MAX_CHARS = 1024 * 1024;

export type Amount = { readonly messages: number; readonly chars: number };

export class Uncommitted {
  #messages = 0;
  #chars = 0;
  #room: PromiseWithResolvers<void> | undefined;

  get isFull(): boolean {
    return this.#messages >= MAX_MESSAGES || this.#chars >= MAX_CHARS;
  }

  add({ messages, chars }: Amount): void {
    this.#messages += messages;
    this.#chars += chars;
  }

  /** So much is in the journal. */
  remove({ messages, chars }: Amount): void {
    this.#messages -= messages;
    this.#chars -= chars;
    if (!this.isFull) this.giveRoom();
  }

  /** Resolves when it is not full any more, or `giveRoom` is called. */
  async room(): Promise<void> {
    this.#room ??= Promise.withResolvers();
    await this.#room.promise;
  }

  giveRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }
}
