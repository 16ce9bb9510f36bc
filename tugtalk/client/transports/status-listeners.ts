/** The status of a transport, and who wants to know of its changes. */
import type { TransportStatus } from "./transport.ts";

export class StatusListeners {
  #status: TransportStatus;
  readonly #listeners = new Set<{ readonly call: (status: TransportStatus) => void }>();

  constructor(status: TransportStatus) {
    this.#status = status;
  }

  get status(): TransportStatus {
    return this.#status;
  }

  /** Nothing follows `closed`. */
  set(status: TransportStatus): void {
    if (status === this.#status || this.#status === "closed") return;
    this.#status = status;
    for (const { call } of [...this.#listeners]) call(status);
  }

  add(call: (status: TransportStatus) => void): () => void {
    const listener = { call };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
