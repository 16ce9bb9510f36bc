/** One channel of a shared bridge process. To its session it is like a process of its own. */
import { randomUUID } from "node:crypto";
import { IncomingMessages } from "../../spawn/incoming-messages.ts";
import { PendingAnswers } from "../../spawn/pending-answers.ts";
import type { AnswerTo, Request } from "../../spawn/running-tugtalk.ts";
import { EndedError, type Exit } from "../../spawn/spawn-errors.ts";
import type { InboundMessage, OutboundMessage } from "../../src/types.ts";
import type { BridgeLink } from "./bridge.ts";

/** The process, as a channel sees it. */
export type ChannelPorts = {
  readonly name: string;
  readonly pid: number;
  readonly write: (message: InboundMessage) => void;
  /** The process knows nothing of this channel, which ends all the same. */
  readonly leave: () => void;
  readonly giveUp: () => void;
  readonly kill: () => void;
};

export class BridgeChannel implements BridgeLink {
  /** The session takes each as it comes, so what waits here needs no limit. */
  readonly messages = new IncomingMessages<OutboundMessage>(() => {});
  readonly #ports: ChannelPorts;
  readonly #answers = new PendingAnswers();
  readonly #exit = Promise.withResolvers<Exit>();
  #isOpen = false;
  #isClosing = false;

  constructor(ports: ChannelPorts) {
    this.#ports = ports;
  }

  get pid(): number {
    return this.#ports.pid;
  }

  get exited(): Promise<Exit> {
    return this.#exit.promise;
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
    // As `Tugtalk` promises.
    return (await answer) as AnswerTo<Sent>;
  }

  close(): Promise<Exit> {
    if (!this.#isClosing) this.#close();
    return this.exited;
  }

  /** Asks it to end and does not wait. The process goes on for others; without any it is killed. */
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
    // It ends by itself, and would refuse whatever comes.
    if (message.type === "error" && !message.recoverable) this.#isClosing = true;
    this.#answers.settle(message);
    this.messages.add(message, 0);
  }

  /** For the process: nothing follows. `fault`: the process is no bridge. */
  end(exit: Exit, fault?: Error): void {
    this.#isClosing = true;
    this.messages.end(fault);
    this.#answers.end(new EndedError(exit));
    this.#exit.resolve(exit);
  }

  #close(): void {
    this.#isClosing = true;
    if (this.#isOpen) this.#ports.write({ type: "shutdown" });
    else this.#ports.leave();
  }
}
