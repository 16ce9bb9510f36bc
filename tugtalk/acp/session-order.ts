/** The client's calls for a session that is being opened or closed: they wait for that, in order. */
import { fieldsOf } from "../src/base/json.ts";
import { type ClientCall, idIn, type RequestId } from "./json-rpc.ts";

/** Requests after which a session is open, or is not. */
const CHANGES: ReadonlySet<string> = new Set([
  "session/load",
  "session/resume",
  "session/close",
  "session/delete",
]);

export class SessionOrder {
  readonly #isOpen: (sessionId: string) => boolean;
  /** The newest change of a session that has no answer yet. */
  readonly #changes = new Map<string, Promise<void>>();
  /** The requests that wait, each with the change that it waits for. */
  readonly #waiting = new Map<RequestId, Promise<void>>();

  constructor(isOpen: (sessionId: string) => boolean) {
    this.#isOpen = isOpen;
  }

  /** Runs a call now, or behind the change that it has to wait for. `run` resolves when it is answered. */
  run(call: ClientCall, run: () => Promise<void>): void {
    const { id } = call;
    const change = this.#before(call);
    if (change === undefined) {
      this.#start(call, run());
      return;
    }
    if (id !== undefined) this.#waiting.set(id, change);
    void change.then(() => {
      if (id !== undefined) this.#waiting.delete(id);
      this.run(call, run);
    });
  }

  #start({ method, params }: ClientCall, answered: Promise<void>): void {
    const sessionId = sessionIn(params);
    if (sessionId === undefined || !CHANGES.has(method)) return;
    const change = answered.finally(() => {
      if (this.#changes.get(sessionId) === change) this.#changes.delete(sessionId);
    });
    this.#changes.set(sessionId, change);
  }

  /** A session that is open waits for nothing: it may be sent again meanwhile. */
  #before({ method, params }: ClientCall): Promise<void> | undefined {
    if (method === "$/cancel_request") {
      const id = requestIn(params);
      return id === undefined ? undefined : this.#waiting.get(id);
    }
    const sessionId = sessionIn(params) ?? "";
    return this.#isOpen(sessionId) ? undefined : this.#changes.get(sessionId);
  }
}

/** The session that a call or a result is about. */
export function sessionIn(value: unknown): string | undefined {
  const { sessionId } = fieldsOf(value);
  return typeof sessionId === "string" ? sessionId : undefined;
}

/** The request that `$/cancel_request` is about. */
export function requestIn(params: unknown): RequestId | undefined {
  return idIn({ id: fieldsOf(params)["requestId"] });
}
