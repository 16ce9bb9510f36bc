/**
 * The way out to the client: answers, notifications, and requests of ours with their answers. All go
 * through one writer, so that none overtakes another.
 */
import { jsonLine } from "../src/base/json-line.ts";
import type { HostWriter } from "../src/ipc.ts";
import { AcpError, type ClientAnswer, type RequestId } from "./json-rpc.ts";

/** A request of ours that the client has not answered. */
export type OpenRequest = {
  /** Rejects with the error of the client, and when the request is withdrawn. */
  readonly answer: Promise<unknown>;
  /** Cancels the request at the client. A later answer is dropped. */
  readonly withdraw: () => void;
};

type Waiting = {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
};

export class ClientEnd {
  readonly #writer: Pick<HostWriter, "write">;
  readonly #waiting = new Map<RequestId, Waiting>();
  #lastId = 0;

  constructor(writer: Pick<HostWriter, "write">) {
    this.#writer = writer;
  }

  respond(id: RequestId, result: unknown): void {
    this.#write({ id, result });
  }

  fail(id: RequestId, error: AcpError): void {
    this.#write({ id, error: error.toRpc() });
  }

  notify(method: string, params: object): void {
    this.#write({ method, params });
  }

  request(method: string, params: object): OpenRequest {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    this.#write({ id, method, params });
    return {
      answer: promise,
      withdraw: () => {
        if (!this.#waiting.delete(id)) return;
        this.notify("$/cancel_request", { requestId: id });
        reject(new AcpError("cancelled", "the request was withdrawn"));
      },
    };
  }

  /** Settles a request of ours with the answer of the client. False for an answer to a request that is not open. */
  settle({ id, result, error }: ClientAnswer): boolean {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return false;
    this.#waiting.delete(id);
    // Some write an error that is null beside the result.
    if (error === undefined || error === null) waiting.resolve(result);
    else waiting.reject(new AcpError("internal", textOfError(error)));
    return true;
  }

  /** Writes lines that are ready, each with its LF. */
  writeLines(lines: string): void {
    this.#writer.write(lines);
  }

  #write(fields: object): void {
    this.#writer.write(rpcLine(fields));
  }
}

/** One line of JSON-RPC. */
export function rpcLine(fields: object): string {
  return jsonLine({ jsonrpc: "2.0", ...fields });
}

function textOfError(error: unknown): string {
  const message: unknown = Object(error)["message"];
  return typeof message === "string" && message !== "" ? message : "the client has failed";
}
