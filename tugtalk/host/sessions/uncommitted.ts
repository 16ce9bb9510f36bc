/**
 * Counts the messages of a bridge that are not in the journal yet. The reader of the bridge waits while there
 * are too many: the pipe fills, and Claude waits, too.
 */

/** More than one read of a pipe gives, so that nobody waits for a quick journal. */
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

  /** These messages are in the journal. */
  remove({ messages, chars }: Amount): void {
    this.#messages -= messages;
    this.#chars -= chars;
    if (!this.isFull) this.giveRoom();
  }

  /** Resolves when there is room, or `giveRoom` is called. */
  async room(): Promise<void> {
    this.#room ??= Promise.withResolvers();
    await this.#room.promise;
  }

  giveRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }
}
