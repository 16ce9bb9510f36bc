/** The list of sessions, with the open prompts of all of them. */
import { ALL_SESSIONS } from "../transports/transport.ts";
import { type AllSessions, NO_SESSIONS, reduceAllSessions } from "./all-sessions.ts";
import { type Schedule, SharedStore, type StoreTransport } from "./shared-store.ts";

/** Its readers share one subscription. */
export class AllSessionsStore extends SharedStore<AllSessions> {
  readonly #transport: StoreTransport;

  constructor(transport: StoreTransport, schedule: Schedule) {
    super(NO_SESSIONS, schedule);
    this.#transport = transport;
  }

  protected open(): () => void {
    return this.#transport.subscribe(
      ALL_SESSIONS,
      { onRefused: (error) => this.set({ ...this.get(), error }) },
      (frame) => {
        const next = reduceAllSessions(this.get(), frame);
        if (next !== this.get()) this.set(next);
      },
    );
  }
}
