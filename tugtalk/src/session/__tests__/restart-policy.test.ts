/**
 * When Claude is started again: three times in a sliding minute, and after which failures. The tests of
 * sessions show the first start, a failure without a restart left, and the end of a drain.
 */
import { describe, expect, test } from "bun:test";
import { TugtalkError } from "../../messages/errors.ts";
import { CurrentSession } from "../current-session.ts";
import { RestartPolicy } from "../restart-policy.ts";

const OWN = "own";

/** The times of the restarts so far, and whether another one is allowed at a time; in ms. */
const ROWS: readonly (readonly [restarts: readonly number[], at: number, isLeft: boolean])[] = [
  [[], 0, true],
  [[0, 0], 0, true],
  [[0, 0, 0], 0, false],
  [[0, 1, 2], 59_999, false],
  [[0, 1, 2], 60_000, true],
  [[0, 0, 59_000, 59_000], 60_000, true],
  [[0, 59_000, 59_000, 59_000], 60_000, false],
  [[0, 0, 0], 3_600_000, true],
];

function policyAt(now: () => number, session = new CurrentSession(() => OWN)): RestartPolicy {
  return new RestartPolicy(now, session);
}

test.each([...ROWS])(
  "after restarts at %p another one at %d is allowed: %p",
  (restarts, at, isLeft) => {
    let now = 0;
    const policy = policyAt(() => now);
    for (const moment of restarts) {
      now = moment;
      policy.recordRestart();
    }
    now = at;
    expect(policy.isLeft).toBe(isLeft);
  },
);

describe("RestartPolicy.willRestart", () => {
  const failure = (code: "claude_start_failed" | "resume_failed", reason?: "id_in_use") =>
    new TugtalkError(code, "no start", reason === undefined ? {} : { reason });
  const EMPTY = new TugtalkError("resume_failed", "no start", { reason: "no_such_session" });
  /** A process was ready before, and `/clear` has just started its conversation. */
  const policy = () => {
    const session = new CurrentSession(() => OWN);
    session.switchTo({ choice: { mode: "new" }, source: undefined });
    session.recordTurn("cleared");
    const made = policyAt(() => 0, session);
    made.recordReady();
    return made;
  };
  const idle = { isDraining: false, hasQueued: false };
  const draining = { isDraining: true, hasQueued: true };

  test.each([
    ["after a process that was ready", undefined, true, true],
    ["after a resume of an empty conversation that was never written", EMPTY, true, true],
    ["after a start that failed", failure("claude_start_failed"), true, false],
    ["after a resume that failed", failure("resume_failed"), false, false],
    ["after an id in use", failure("claude_start_failed", "id_in_use"), false, false],
  ])(
    "the result of willRestart %s depends on whether the session is draining",
    (_name, ended, whenIdle, whileDraining) => {
      expect(policy().willRestart(ended, idle)).toBe(whenIdle);
      expect(policy().willRestart(ended, draining)).toBe(whileDraining);
    },
  );
});
