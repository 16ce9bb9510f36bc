/**
 * One bridge process for many sessions, each with a channel of it. The process ends with the last channel: an
 * unused one would take memory, and none is left when the host ends.
 */
import type { Tugtalk } from "../../spawn/running-tugtalk.ts";
import type { Exit } from "../../spawn/spawn-errors.ts";
import type { ErrorCode } from "../../src/messages/error-message.ts";
import type { OutboundMessage } from "../../src/types.ts";
import { BridgeChannel } from "./bridge-channel.ts";

/** The number of channels of a bridge without a flag. */
export const MAX_CHANNELS = 64;

/** The errors of a line that belongs to no open channel. */
const OF_NO_CHANNEL: ReadonlySet<ErrorCode> = new Set(["bad_channel", "line_too_long"]);

const GIVEN_UP: Exit = { code: null, signal: "SIGKILL" };

export class SharedBridge {
  readonly #child: Tugtalk;
  /** The channels by name. Undefined: given up, and its end is not reported yet. */
  readonly #channels = new Map<string, BridgeChannel | undefined>();
  #opened = 0;
  #isEnding = false;
  #exit: Exit | undefined;
  #fault: Error | undefined;
  /** Set while the process is not read: continues the reading. */
  #readOn: (() => void) | undefined;

  constructor(child: Tugtalk) {
    this.#child = child;
    void this.#read();
  }

  /** The process takes no further channel, and is or will be gone. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** The number of its channels. */
  get size(): number {
    return this.#channels.size;
  }

  open(): BridgeChannel {
    this.#opened += 1;
    const name = String(this.#opened);
    const channel = new BridgeChannel({
      pid: this.#child.pid,
      name,
      // The channel comes first, where the bridge finds it even if the line is too long.
      write: (message) => this.#child.send({ channel: name, ...message }),
      leave: () => void this.#close(name, { code: 0, signal: null }),
      giveUp: () => this.#giveUp(name),
      kill: () => this.#kill(),
      onRoom: () => this.#readOn?.(),
    });
    if (this.#exit === undefined) this.#channels.set(name, channel);
    else channel.end(this.#exit, this.#fault);
    return channel;
  }

  async #read(): Promise<void> {
    try {
      for await (const message of this.#child.messages) {
        this.#receive(message);
        while (this.#mustWait(message.channel)) await this.#room();
      }
    } catch (error) {
      // A killed process may end within a line. The reason of the kill says more than that fault.
      this.#fault ??= error instanceof Error ? error : new Error(String(error));
    }
    this.#isEnding = true;
    this.#exit = await this.#child.exited;
    for (const channel of this.#channels.values()) channel?.end(this.#exit, this.#fault);
    this.#channels.clear();
  }

  /** A session that takes no messages delays the others of its process, but no answer and no end. */
  #mustWait(name: string | undefined): boolean {
    const channel = name === undefined ? undefined : this.#channels.get(name);
    if (channel?.isFull !== true || this.#isEnding) return false;
    return ![...this.#channels.values()].some((one) => one?.mustBeRead);
  }

  async #room(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#readOn = resolve;
    await promise;
  }

  #receive(message: OutboundMessage): void {
    const { channel: name } = message;
    if (name === undefined) this.#receiveOwn(message);
    else if (message.type === "channel_closed")
      void this.#close(name, { code: message.exit_code, signal: null });
    else this.#channels.get(name)?.receive(message);
  }

  /**
   * A process with channels sends only errors without a channel, and answers only for a channel that ends.
   */
  #receiveOwn(message: OutboundMessage): void {
    if (message.type === "error") {
      this.#isEnding ||= !message.recoverable;
      if (message.in_reply_to === undefined || OF_NO_CHANNEL.has(message.code)) return;
    }
    this.#fault = new Error("it answers without a channel: its command must pass on --multiplex");
    this.#kill();
  }

  /** Ends a channel. The process ends with the last one. */
  async #close(name: string, exit: Exit): Promise<void> {
    const channel = this.#channels.get(name);
    this.#channels.delete(name);
    if (!this.#isUsed) {
      this.#isEnding = true;
      await this.#child.close();
    }
    channel?.end(exit);
  }

  #giveUp(name: string): void {
    const channel = this.#channels.get(name);
    if (channel !== undefined) this.#channels.set(name, undefined);
    if (!this.#isUsed) this.#kill();
    channel?.end(GIVEN_UP);
    this.#readOn?.();
  }

  #kill(): void {
    this.#isEnding = true;
    this.#readOn?.();
    this.#child.kill("SIGKILL");
  }

  get #isUsed(): boolean {
    return [...this.#channels.values()].some((channel) => channel !== undefined);
  }
}
