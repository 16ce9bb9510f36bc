/** Which column of the board a session is in. */
import { expect, test } from "bun:test";
import type { SessionInfo } from "../../../client/host-api.ts";
import { columnOf, stateText } from "../session-state.ts";
import { sampleSession } from "./support/session-sample.ts";

const EXPECTED: Readonly<Record<SessionInfo["state"], string>> = {
  starting: "working",
  idle: "idle",
  running: "working",
  compacting: "working",
  requires_action: "needs-you",
  stalled: "working",
  disconnected: "asleep",
  exited: "asleep",
  failed: "asleep",
};

const STATES = Object.keys(EXPECTED) as SessionInfo["state"][];

test("each state has a column", () => {
  const columns = STATES.map((state) => [state, columnOf(sampleSession({ state }))]);
  expect(Object.fromEntries(columns)).toEqual(EXPECTED);
});

test("a session with an open prompt needs a person in every state", () => {
  for (const state of STATES)
    expect(columnOf(sampleSession({ state, pending: 1 }))).toBe("needs-you");
});

test("a session whose messages wait for a person needs one, and one whose queue goes on by itself does not", () => {
  const waiting = (fields: Partial<SessionInfo>) =>
    columnOf(sampleSession({ queued: 1, ...fields }));
  expect(waiting({ state: "exited" })).toBe("needs-you");
  expect(waiting({ state: "failed" })).toBe("needs-you");
  expect(waiting({ state: "disconnected" })).toBe("asleep");
  expect(waiting({ state: "running" })).toBe("working");
  expect(waiting({ state: "idle" })).toBe("idle");
  expect(waiting({ state: "idle", cost_usd: 2, limit_usd: 2 })).toBe("needs-you");
  expect(waiting({ state: "idle", cost_usd: 1.9, limit_usd: 2 })).toBe("idle");
});

test("an archived session is in no column of the board and says so, whatever waits in it", () => {
  for (const state of STATES) {
    const session = sampleSession({ state, queued: 1, archived_at: 5 });
    expect([columnOf(session), stateText(session)]).toEqual(["archived", "Archived"]);
  }
});
