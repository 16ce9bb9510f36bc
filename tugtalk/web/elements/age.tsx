/** How long ago something was, kept up to date. */
import { signal } from "@preact/signals";
import { formatAge } from "./format-age.ts";

const TICK_MS = 20_000;

let timer: ReturnType<typeof setInterval> | undefined;

/** Goes on only while somebody looks at it, and is behind until its first tick. */
const now = signal(Date.now(), {
  watched() {
    timer = setInterval(() => {
      this.value = Date.now();
    }, TICK_MS);
  },
  unwatched: () => clearInterval(timer),
});

/** `at` in milliseconds since 1970. */
export function Age({ at }: { readonly at: number }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {formatAge(Math.max(now.value, Date.now(), at) - at, date)}
    </time>
  );
}
