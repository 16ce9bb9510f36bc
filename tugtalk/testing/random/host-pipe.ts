/** Both pipes of a host, in this process: it sends, reads or stops reading, and closes them. */
import type { openHostLines } from "../../src/edge/host-lines.ts";
import type { Sink } from "../../src/ipc.ts";
import { parseEmittedText } from "../drivers/emitted-lines.ts";
import { isRequest, type Message, type Sent } from "../observer/observed.ts";

export class HostPipe {
  /** The messages that the host has received. */
  readonly received: Message[] = [];
  /** The same as text. */
  text = "";
  /** The JSON lines that the host has sent. */
  readonly sent: Sent[] = [];
  /** The host has sent bytes that may hold messages that `sent` lacks. */
  hasSentNoise = false;
  readonly #chunks: Uint8Array[] = [];
  #reader: PromiseWithResolvers<void> | undefined;
  #isInputOver = false;
  #isCancelled = false;
  #isReading = true;
  #isBroken = false;
  #room = Promise.withResolvers<void>();
  #outgoing: string[] = [];

  /** The bridge's end of the host's stdout. */
  readonly input: Parameters<typeof openHostLines>[0] = {
    read: async () => {
      while (this.#chunks.length === 0 && !this.#isInputOver) {
        this.#reader = Promise.withResolvers();
        await this.#reader.promise;
      }
      const value = this.#chunks.shift();
      return value === undefined ? { done: true } : { done: false, value };
    },
    cancel: async () => {
      this.#isCancelled = true;
      this.#chunks.length = 0;
      this.closeInput();
    },
  };

  /** The bridge's end of the host's stdin. */
  readonly output: Sink = {
    write: (chunk) => {
      if (this.#isBroken) throw new Error("EPIPE");
      this.#outgoing.push(chunk);
    },
    flush: () => {
      if (!this.#isReading) return this.#room.promise;
      this.#deliver();
      return undefined;
    },
  };

  /** Messages wait for a host that does not read. */
  get isBlocking(): boolean {
    return !this.#isReading && this.#outgoing.length > 0;
  }

  /** Every prompt that the host has received. */
  get prompts(): Message[] {
    return this.received.filter(isRequest);
  }

  /** The prompts that are not closed. */
  get openPrompts(): Message[] {
    const closed = this.received.filter(({ type }) => /^control_request_(res|can)/.test(type));
    const ids = new Set(closed.map(({ request_id }) => request_id));
    return this.prompts.filter(({ request_id }) => !ids.has(request_id));
  }

  /** The bridge has not read all bytes of the host. */
  get hasUnread(): boolean {
    return this.#chunks.length > 0;
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Sends one message. */
  send(message: Readonly<Record<string, unknown>>): void {
    this.sent.push({ message, after: this.received.length });
    this.sendRaw(`${JSON.stringify(message)}\n`);
  }

  /** Sends bytes as they are. */
  sendRaw(bytes: string | Uint8Array): void {
    if (this.#isInputOver || this.#isCancelled) return;
    this.#chunks.push(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
    this.#reader?.resolve();
  }

  /** Sends bytes that may be no messages. */
  sendNoise(bytes: Uint8Array): void {
    this.hasSentNoise = true;
    this.sendRaw(bytes);
  }

  /** Closes stdin of the bridge. */
  closeInput(): void {
    this.#isInputOver = true;
    this.#reader?.resolve();
  }

  stopReading(): void {
    this.#isReading = false;
  }

  /** Reads everything that has arrived, and reads on. */
  resumeReading(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#deliver();
    const { resolve } = this.#room;
    this.#room = Promise.withResolvers();
    resolve();
  }

  /** Closes the pipe that it reads from. */
  breakOutput(): void {
    this.#isBroken = true;
    this.resumeReading();
  }

  #deliver(): void {
    const text = this.#outgoing.join("");
    this.#outgoing = [];
    this.text += text;
    for (const message of parseEmittedText(text)) this.received.push(message);
  }
}
