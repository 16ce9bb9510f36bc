/** Time, as the session is given it. */

/** A clock whose timers can be driven by a test. Times are in ms. */
export type Clock = {
  readonly setTimer: (run: () => void, ms: number) => unknown;
  readonly clearTimer: (timer: unknown) => void;
  readonly now: () => number;
};
