/** The flags of a process that continues a conversation (§7). Sessions show the rest. */
import { expect, test } from "bun:test";
import { CurrentSession } from "../current-session.ts";

const OWN = "own";
const GIVEN = "11111111-2222-4333-8444-555555555555";
test("CurrentSession forks again under another id until a turn has begun in the fork", () => {
  const ids = ["first", "second", "third"];
  const session = new CurrentSession(() => ids.shift() ?? "");
  session.switchTo({ choice: { mode: "fork", session_id: GIVEN }, source: GIVEN });
  expect(session.spawnArgs).toMatchObject({ sessionId: GIVEN, sessionIdOverride: "first" });
  session.prepareRestart();
  expect(session.spawnArgs).toEqual({
    sessionId: GIVEN,
    forkSession: true,
    sessionIdOverride: "second",
    resumeAt: undefined,
  });
  expect(session.forkSource?.source).toBe(GIVEN);
  session.recordTurn("second");
  session.prepareRestart();
  expect(session.spawnArgs).toEqual({ sessionId: "second" });
});

/** Until Claude answers, the resume point is shown in `session-resume-points.test.ts`. */
test("a conversation that is resumed at an earlier point has no resume point after Claude cleared the conversation", () => {
  const session = new CurrentSession(() => OWN);
  const choice = { mode: "resume", session_id: GIVEN } as const;
  session.switchTo({ choice, source: GIVEN, resumePoint: { at: "line", bytes: 100 } });
  session.recordTurn(OWN);
  expect(session.spawnArgs).toEqual({ sessionId: OWN });
});
