/** A state that several readers follow together. */
import type { Transport } from "../transports/transport.ts";

/** As `useSyncExternalStore` of React takes it. */
export type Store<State> = {
  /** The latest state: the same object as long as nothing has changed. */
  readonly get: () => State;
  /** Calls back once for several changes. Returns the function that stops it. */
  readonly subscribe: (onChange: () => void) => () => void;
};

/** The transport as stores need it. */
export type StoreTransport = Pick<Transport, "command" | "subscribe">;

/** Runs it once, soon. */
export type Schedule = (run: () => void) => void;

/** Follows something from the first reader on until the last one stops. Its last state stays. */
export abstract class SharedStore<State> implements Store<State> {
  readonly #schedule: Schedule;
  /** Objects, since one function may subscribe twice. */
  readonly #readers = new Set<{ readonly call: () => void }>();
  #state: State;
  #isScheduled = false;
  #close: (() => void) | undefined;

  constructor(state: State, schedule: Schedule) {
    this.#state = state;
    this.#schedule = schedule;
  }

  readonly get = (): State => this.#state;

  readonly subscribe = (call: () => void): (() => void) => {
    const reader = { call };
    this.#readers.add(reader);
    this.#close ??= this.open();
    return () => {
      if (!this.#readers.delete(reader) || this.#readers.size > 0) return;
      this.#close?.();
      this.#close = undefined;
    };
  };

  /** Begins to follow, and gives the way to stop. */
  protected abstract open(): () => void;

  protected set(state: State): void {
    this.#state = state;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#schedule(() => {
      this.#isScheduled = false;
      // A reader may stop another one, which is not called then. A reader that comes now knows the value
      // already.
      for (const reader of [...this.#readers]) if (this.#readers.has(reader)) reader.call();
    });
  }
}
