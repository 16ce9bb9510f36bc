/** Both pipes of an ACP client, in this process: it sends, and reads or stops reading. */

import type { Agent } from "../../acp/agent.ts";
import { readClientLine } from "../../acp/json-rpc.ts";
import type { Sink } from "../../src/ipc.ts";
import type { Fields } from "../observer/observed.ts";

/** One frame, in the order in which the client sends and reads. */
export type Passage = { readonly from: "client" | "agent"; readonly frame: Fields };

export class ClientPipe {
  readonly passages: Passage[] = [];
  /** How many times it has stopped reading. */
  pauses = 0;
  #isReading = true;
  #room = Promise.withResolvers<void>();
  #outgoing: string[] = [];

  /** The agent's stdout. */
  readonly output: Sink = {
    write: (chunk) => void this.#outgoing.push(chunk),
    flush: () => {
      if (!this.#isReading) return this.#room.promise;
      this.#deliver();
      return undefined;
    },
  };

  /** Frames wait for a client that does not read. */
  get isBlocking(): boolean {
    return !this.#isReading && this.#outgoing.length > 0;
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  send(agent: Agent, fields: Fields): void {
    const frame = { jsonrpc: "2.0", ...fields };
    this.passages.push({ from: "client", frame });
    agent.receive(readClientLine(Buffer.from(JSON.stringify(frame))));
  }

  stopReading(): void {
    if (this.#isReading) this.pauses += 1;
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

  #deliver(): void {
    const lines = this.#outgoing.join("").split("\n");
    this.#outgoing = [];
    for (const line of lines)
      if (line !== "") this.passages.push({ from: "agent", frame: JSON.parse(line) });
  }
}
