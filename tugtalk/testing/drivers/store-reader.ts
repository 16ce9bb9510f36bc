/** A reader of a store, as a component of a page is one. */
import type { Store } from "../../client/client.ts";

export class StoreReader<State> {
  /** How often it was called. */
  calls = 0;
  readonly stop: () => void;
  readonly #store: Store<State>;
  #onCall = () => {};

  constructor(store: Store<State>) {
    this.#store = store;
    this.stop = store.subscribe(() => {
      this.calls += 1;
      this.#onCall();
    });
  }

  /** Resolves with the first state that fits. */
  async until(fits: (state: State) => boolean): Promise<State> {
    for (;;) {
      const state = this.#store.get();
      if (fits(state)) return state;
      await new Promise<void>((resolve) => {
        this.#onCall = resolve;
      });
    }
  }
}
