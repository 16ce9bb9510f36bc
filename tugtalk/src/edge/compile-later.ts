/**
 * When the code of a bridge is compiled for speed: not while it starts, since most of what runs then runs
 * seldom, and compiling it costs a fifth of the processor time to the first text.
 */
import type { Sink } from "../ipc.ts";

/** So many times later than usual. */
const RELUCTANCE = 8;
const USUAL = 1;

/** A bridge that has written so many characters has started, and has more to do. */
const STARTED = 256 * 1024;

/** The same output. Code is compiled late from now on, and as usual once that has taken so much. */
export function compileLater(output: Pick<Sink, "write" | "flush">): typeof output {
  Bun.unsafe.setJITPolicy(RELUCTANCE);
  let written = 0;
  return {
    write: (chunk) => {
      if (written < STARTED) {
        written += chunk.length;
        if (written >= STARTED) Bun.unsafe.setJITPolicy(USUAL);
      }
      return output.write(chunk);
    },
    flush: () => output.flush(),
  };
}
