/** The output of a process, for tests that wait for parts of it. */
export class Printed {
  readonly whole: Promise<string>;
  #text = "";
  /** How much of the text `wait` has used up. */
  #used = 0;
  #changed = Promise.withResolvers<void>();
  #hasEnded = false;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.whole = this.#read(stream);
  }

  /** So far. */
  get text(): string {
    return this.#text;
  }

  /** Resolves with the text so far when it fits. */
  async waitFor(until: RegExp): Promise<string> {
    while (!until.test(this.#text)) await this.#more();
    return this.#text;
  }

  /** Resolves when this text has come, after the texts of earlier waits. */
  async wait(text: string): Promise<void> {
    while (!this.#text.includes(text, this.#used)) await this.#more();
    this.#used = this.#text.indexOf(text, this.#used) + text.length;
  }

  async #more(): Promise<void> {
    if (this.#hasEnded) throw new Error(`the output ended: ${this.#text}`);
    await this.#changed.promise;
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<string> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      this.#text += decoder.decode(chunk, { stream: true });
      this.#announce();
    }
    this.#hasEnded = true;
    this.#announce();
    return this.#text;
  }

  #announce(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
