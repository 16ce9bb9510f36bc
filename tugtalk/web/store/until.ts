/** Waits for signals. */
import { effect } from "@preact/signals";

/** Resolves as soon as `isTrue` holds. Follows the signals that it reads. */
export function until(isTrue: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (!isTrue()) return;
      resolve();
      // It may be true already, when there is no `stop` yet.
      queueMicrotask(() => stop());
    });
  });
}
