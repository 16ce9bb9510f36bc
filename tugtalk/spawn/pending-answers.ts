/**
 * Requests of the host that await their answer. Each ends once: answered, refused, or by the bridge's end.
 */
import type { OutboundMessage } from "../src/types.ts";
import { RequestError } from "./spawn-errors.ts";

type Waiting = {
  readonly id: string;
  readonly resolve: (answer: OutboundMessage) => void;
  readonly reject: (error: Error) => void;
};

export class PendingAnswers {
  /** By the id and the channel of the request. */
  readonly #waiting = new Map<string, Waiting>();
  #end: Error | undefined;

  /** The number of waiting requests. */
  get count(): number {
    return this.#waiting.size;
  }

  /** Resolves with the answer to `id` in this channel. Call it before the request is sent. */
  wait(id: string, channel?: string): Promise<OutboundMessage> {
    const key = keyOf(id, channel);
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) reject(this.#end);
      else if (this.#waiting.has(key))
        reject(new Error(`a request with the id ${id} waits already`));
      else this.#waiting.set(key, { id, resolve, reject });
    });
  }

  /** Ends the wait that a message answers, if there is one. */
  settle(message: OutboundMessage): void {
    const key = this.#keyFor(message);
    const waiting = key === undefined ? undefined : this.#waiting.get(key);
    if (key === undefined || waiting === undefined) return;
    this.#waiting.delete(key);
    if (message.type === "error") waiting.reject(new RequestError(message));
    else waiting.resolve(message);
  }

  #keyFor(message: OutboundMessage): string | undefined {
    const { in_reply_to, channel } = message;
    if (in_reply_to === undefined) return undefined;
    const ofLine = message.type === "error" ? message.of_channel : undefined;
    const key = keyOf(in_reply_to, channel ?? ofLine);
    if (this.#waiting.has(key) || channel !== undefined) return key;
    // A bridge without channels ignores the channel of a request.
    return [...this.#waiting].find(([, { id }]) => id === in_reply_to)?.[0];
  }

  /** Rejects all waits, and all later ones. */
  end(error: Error): void {
    this.#end = error;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}

function keyOf(id: string, channel: string | undefined): string {
  return JSON.stringify([id, channel]);
}
