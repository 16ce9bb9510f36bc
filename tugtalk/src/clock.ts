/** Time, as the session is given it. */

/** A clock whose timers can be driven by a test. Times are in ms. */
export type Clock = {
  readonly setTimer: (run: () => void, ms: number) => unknown;
  readonly clearTimer: (timer: unknown) => void;
  readonly now: () => number;
};

/** How soon a limit is looked at again that passed while the host did not read, in ms. */
const AGAIN_MS = 1_000;

/**
 * A clock for the limits of what Claude says: while the host does not read, Claude is not read
 * either, and what is waited for may have come. `isBlocked` says so.
 */
export function patientClock(clock: Clock, isBlocked: () => boolean): Clock {
  const arm = (handle: { timer: unknown }, run: () => void, ms: number): void => {
    handle.timer = clock.setTimer(() => (isBlocked() ? arm(handle, run, AGAIN_MS) : run()), ms);
  };
  return {
    now: clock.now,
    setTimer: (run, ms) => {
      const handle = { timer: undefined };
      arm(handle, run, ms);
      return handle;
    },
    clearTimer: (handle) => clock.clearTimer((handle as { timer: unknown } | undefined)?.timer),
  };
}
