/** Requests to the bridge of a session, each with its result. */
import type { InboundMessage } from "../src/types.ts";
import { AcpError } from "./json-rpc.ts";
import type { MessageOf } from "./updates/update-state.ts";

type Result = Pick<MessageOf<"control_result">, "ok" | "error">;

export class BridgeRequests {
  readonly #newId: () => string;
  readonly #give: (message: InboundMessage) => void;
  /** By the id of the request. */
  readonly #open = new Map<string, (result: Result) => void>();

  constructor(newId: () => string, give: (message: InboundMessage) => void) {
    this.#newId = newId;
    this.#give = give;
  }

  /** Resolves when the bridge says that it was done. */
  async ask(message: InboundMessage): Promise<void> {
    const { ok, error } = await this.request(message);
    if (!ok) throw new AcpError("internal", error ?? "Claude has refused it");
  }

  request(message: InboundMessage): Promise<Result> {
    const id = this.#newId();
    const { promise, resolve } = Promise.withResolvers<Result>();
    this.#open.set(id, resolve);
    this.#give({ ...message, id });
    return promise;
  }

  settle({ in_reply_to: id, ok, error }: MessageOf<"control_result">): void {
    this.#end(id, { ok, error });
  }

  /** A request that the bridge does not pass on has an error in the place of its result. */
  rejected({ in_reply_to: id, message }: MessageOf<"error">): void {
    this.#end(id, { ok: false, error: message });
  }

  #end(id = "", result: Result): void {
    this.#open.get(id)?.(result);
    this.#open.delete(id);
  }
}
