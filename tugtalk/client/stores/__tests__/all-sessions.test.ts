/** All sessions as the frames of a host change them. */
import { expect, test } from "bun:test";
import { sampleSession } from "../../../web/store/__tests__/support/session-sample.ts";
import type { HostFrame } from "../../session-input.ts";
import { type AllSessions, NO_SESSIONS, reduceAllSessions } from "../all-sessions.ts";

function frame(t: string, d: object, s = "s1"): HostFrame {
  return { s, t, d };
}

function reduced(...frames: readonly HostFrame[]): AllSessions {
  return frames.reduce(reduceAllSessions, NO_SESSIONS);
}

const [ONE, TWO] = [sampleSession({ id: "s1" }), sampleSession({ id: "s2" })];
const LIST = frame("sessions", { sessions: [TWO, ONE], pending: [] }, "*");
const ids = { sessionId: "s1", stageId: "s1" };
const FORM = { serverName: "orders", message: "Who?" };
const ASKED = {
  ...{ ...ids, ...FORM, requestId: "r1", createdAt: 1, toolName: "Bash", input: {} },
  ...{ dialogKind: "any", payload: {} },
};

test("nothing is known before the first list", () => {
  expect(NO_SESSIONS.isLoaded).toBe(false);
  expect(reduced(LIST)).toEqual({ isLoaded: true, sessions: [TWO, ONE], pending: [] });
});

test("a session that changes keeps its place, and the others are the same objects", () => {
  const changed = { ...ONE, title: "Other" };
  const { sessions } = reduced(LIST, frame("session_changed", changed));
  expect(sessions).toEqual([TWO, changed]);
  expect(sessions[0]).toBe(TWO);
});

test("a field that a session no longer has is gone from the list", () => {
  const limited = frame("session_changed", { ...ONE, limit_usd: 5, last_error: "No" });
  const { sessions } = reduced(LIST, limited, frame("session_changed", ONE));
  expect(sessions).toEqual([TWO, ONE]);
});

test("a new session is the first one", () => {
  const created = sampleSession({ id: "s3" });
  const { sessions } = reduced(LIST, frame("session_changed", created, "s3"));
  expect(sessions).toEqual([created, TWO, ONE]);
});

test("a deleted session goes with its prompts", () => {
  const state = reduced(LIST, frame("approval-requested", ASKED), frame("session_deleted", ONE));
  expect(state).toMatchObject({ sessions: [TWO], pending: [] });
});

for (const [event, kind] of [
  ["approval-requested", "permission"],
  ["question-requested", "question"],
  ["elicitation-requested", "elicitation"],
  ["dialog-requested", "dialog"],
] as const)
  test(`a prompt is open from ${event} until it is resolved or cancelled`, () => {
    const asked = frame(event, ASKED);
    expect(reduced(LIST, asked).pending).toMatchObject([{ kind, requestId: "r1" }]);
    expect(reduced(LIST, asked, asked).pending).toHaveLength(1);
    for (const end of ["approval-resolved", "approval-cancelled"])
      expect(reduced(LIST, asked, frame(end, { ...ids, requestId: "r1" })).pending).toEqual([]);
  });

test("prompts are in the order in which they were opened, and another one's end leaves them", () => {
  const asked = (requestId: string) => frame("approval-requested", { ...ASKED, requestId });
  const other = frame("approval-resolved", { ...ids, requestId: "r9" });
  const before = reduced(LIST, asked("r1"), asked("r2"));
  expect(before.pending.map(({ requestId }) => requestId)).toEqual(["r1", "r2"]);
  expect(reduceAllSessions(before, other)).toBe(before);
});

test("two sessions may have prompts of the same id", () => {
  const asked = reduced(
    frame("approval-requested", ASKED),
    frame("approval-requested", { ...ASKED, sessionId: "s2" }, "s2"),
  );
  const { pending } = reduceAllSessions(
    asked,
    frame("approval-resolved", { ...ids, requestId: "r1" }),
  );
  expect(asked.pending).toHaveLength(2);
  expect(pending.map(({ sessionId }) => sessionId)).toEqual(["s2"]);
});

test("after a reconnect the list replaces all that was known", () => {
  const old = [LIST, frame("approval-requested", ASKED)];
  const again = frame("sessions", { sessions: [ONE], pending: [] }, "*");
  expect(reduced(...old, again)).toEqual({ isLoaded: true, sessions: [ONE], pending: [] });
});

test("the database of the host is away until it is back, or the list comes anew", () => {
  const away = reduced(LIST, frame("database_away", { claudes_ended: false }, "*"));
  expect(away.database).toBe("away");
  const lost = reduceAllSessions(away, frame("database_away", { claudes_ended: true }, "*"));
  expect(lost.database).toBe("lost");
  expect(reduceAllSessions(lost, frame("database_back", {}, "*"))).toEqual(reduced(LIST));
  expect(reduceAllSessions(lost, LIST)).toEqual(reduced(LIST));
});

test("frames of other kinds change nothing", () => {
  const state = reduced(LIST);
  for (const type of ["message_queued", "host_error", "ping", "newer-than-this"])
    expect(reduceAllSessions(state, frame(type, ids))).toBe(state);
});
