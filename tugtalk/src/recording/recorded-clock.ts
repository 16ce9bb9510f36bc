/**
 * The clock of a recorded bridge. It stands still while the bridge handles an input, so that a replay
 * can give the bridge the same time, and it notes which timers run.
 */
import type { Clock } from "../base/clock.ts";
import type { RecordingNotes } from "./recording-notes.ts";

/** A clock, and how many of its timers have run. */
export type RecordedClock = Clock & { readonly fired: () => number };

/** `clock` is the real one. */
export function recordClock(
  clock: Clock,
  notes: Pick<RecordingNotes, "lastInput" | "add">,
): RecordedClock {
  let timers = 0;
  let fired = 0;
  return {
    now: () => notes.lastInput,
    setTimer: (run, delay_ms) => {
      timers += 1;
      const number = timers;
      const fire = () => {
        fired += 1;
        notes.add({ event: "timer", number, delay_ms });
        run();
      };
      return clock.setTimer(fire, delay_ms);
    },
    clearTimer: (timer) => clock.clearTimer(timer),
    fired: () => fired,
  };
}
