/** One channel of a shared bridge process. Its session uses it like a process of its own. */
import { randomUUID } from "node:crypto";
import { IncomingMessages } from "../../spawn/incoming-messages.ts";
import { PendingAnswers } from "../../spawn/pending-answers.ts";
import type { AnswerTo, Request } from "../../spawn/running-tugtalk.ts";
import { EndedError, type Exit } from "../../spawn/spawn-errors.ts";
import type { InboundMessage, OutboundMessage } from "../../src/types.ts";
import type { BridgeLink } from "./bridge.ts";
import { messageChars } from "./message-chars.ts";

/** The parts of the process that a channel uses. */
export type ChannelPorts = {
  readonly name: string;
  readonly pid: number;
  readonly write: (message: InboundMessage) => void;
  /** Ends the channel, which the process does not know. */
  readonly leave: () => void;
  readonly giveUp: () => void;
  readonly kill: () => void;
  /** There is room again, or the process must be read without it. */
  readonly onRoom: () => void;
};

/** How much may wait here for a session before the process is not read. */
const MAX_WAITING_CHARS = 256 * 1024;

export class BridgeChannel implements BridgeLink {
  readonly messages = new IncomingMessages<OutboundMessage>(() => this.#onTake());
  readonly #ports: ChannelPorts;
  readonly #answers = new PendingAnswers();
  readonly #exit = Promise.withResolvers<Exit>();
  #isOpen = false;
  #isClosing = false;
  #isFull = false;

  constructor(ports: ChannelPorts) {
    this.#ports = ports;
  }

  get pid(): number {
    return this.#ports.pid;
  }

  get exited(): Promise<Exit> {
    return this.#exit.promise;
  }

  /** For the process: the session has not taken the waiting messages. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** For the process: an expected answer or end comes after all unread messages. */
  get mustBeRead(): boolean {
    return this.#isClosing || this.#answers.count > 0;
  }

  send(message: InboundMessage): void {
    if (this.#isClosing) return;
    this.#isOpen = true;
    this.#ports.write(message);
  }

  async request<Sent extends Request>(message: Sent): Promise<AnswerTo<Sent>> {
    const { id = randomUUID(), ...fields } = message;
    const answer = this.#answers.wait(id, this.#ports.name);
    this.send({ id, ...fields } as Sent);
    this.#ports.onRoom();
    // `Tugtalk` promises an answer of this type.
    return (await answer) as AnswerTo<Sent>;
  }

  close(): Promise<Exit> {
    if (!this.#isClosing) this.#close();
    return this.exited;
  }

  /**
   * Asks the channel to end, and does not wait. The process goes on for other channels; without any it is
   * killed.
   */
  giveUp(): void {
    if (!this.#isClosing) this.#close();
    this.#ports.giveUp();
  }

  /** Kills the process, and with it the channels of all others. */
  kill(): void {
    this.#ports.kill();
  }

  /** For the process: a message of this channel. */
  receive(message: OutboundMessage): void {
    // The bridge ends by itself, and would refuse further messages.
    if (message.type === "error" && !message.recoverable) this.#isClosing = true;
    this.#answers.settle(message);
    this.messages.add(message, messageChars(message));
    this.#isFull = this.messages.chars > MAX_WAITING_CHARS;
  }

  /** For the process: no message follows. `fault`: the process is no bridge. */
  end(exit: Exit, fault?: Error): void {
    this.#isClosing = true;
    this.messages.end(fault);
    this.#answers.end(new EndedError(exit));
    this.#exit.resolve(exit);
  }

  #onTake(): void {
    if (!this.#isFull || this.messages.chars > 0) return;
    this.#isFull = false;
    this.#ports.onRoom();
  }

  #close(): void {
    this.#isClosing = true;
    this.#ports.onRoom();
    if (this.#isOpen) this.#ports.write({ type: "shutdown" });
    else this.#ports.leave();
  }
}
