/** Requests of the host that await their answer. Each ends once: answered, refused, or by the bridge's end. */
import type { OutboundMessage } from "../src/types.ts";
import { RequestError } from "./spawn-errors.ts";

type Waiting = {
  readonly resolve: (answer: OutboundMessage) => void;
  readonly reject: (error: Error) => void;
};

export class PendingAnswers {
  readonly #waiting = new Map<string, Waiting>();
  #end: Error | undefined;

  /** How many requests wait. */
  get count(): number {
    return this.#waiting.size;
  }

  /** Resolves with the answer to `id`. Call it before the request is sent. */
  wait(id: string): Promise<OutboundMessage> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) reject(this.#end);
      else if (this.#waiting.has(id))
        reject(new Error(`a request with the id ${id} waits already`));
      else this.#waiting.set(id, { resolve, reject });
    });
  }

  /** Ends the wait that a message answers, if there is one. */
  settle(message: OutboundMessage): void {
    const id = message.in_reply_to;
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    this.#waiting.delete(id);
    if (message.type === "error") waiting.reject(new RequestError(message));
    else waiting.resolve(message);
  }

  /** Rejects all waits, and all later ones. */
  end(error: Error): void {
    this.#end = error;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}
