/** What a process prints, for tests. */

/** Output that can be waited for. What was waited for is used up. */
export class Output {
  #text = "";
  #used = 0;
  #arrived = Promise.withResolvers<void>();

  add(chunk: string): void {
    this.#text += chunk;
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers<void>();
  }

  get text(): string {
    return this.#text;
  }

  /** Resolves when the text has come. A test that waits in vain fails by its own time limit. */
  async wait(text: string): Promise<void> {
    for (;;) {
      const index = this.#text.indexOf(text, this.#used);
      if (index !== -1) {
        this.#used = index + text.length;
        return;
      }
      await this.#arrived.promise;
    }
  }
}
