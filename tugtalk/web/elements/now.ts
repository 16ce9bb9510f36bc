/** The time, for the ages that the page shows. */
import { signal } from "@preact/signals";

const TICK_MS = 20_000;

let timer: ReturnType<typeof setInterval> | undefined;

/** In milliseconds since 1970. Goes on only while somebody looks at it, and is behind until its first tick. */
export const now = signal(Date.now(), {
  watched() {
    timer = setInterval(() => {
      this.value = Date.now();
    }, TICK_MS);
  },
  unwatched: () => clearInterval(timer),
});
