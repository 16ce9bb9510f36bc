/** The order in which a person goes to the sessions that wait. */
import { expect, test } from "bun:test";
import type { SessionPrompt } from "../../../client/stores/session-prompt.ts";
import { needingSessions } from "../needing-sessions.ts";
import { nextNeeding } from "../next-needing.ts";
import { sampleSession } from "./support/session-sample.ts";

function prompt(sessionId: string, createdAt: number): SessionPrompt {
  const requestId = `${sessionId}-${createdAt}`;
  return { kind: "dialog", sessionId, requestId, createdAt, dialogKind: "any", payload: {} };
}

const BOARD = {
  sessions: [
    sampleSession({ id: "late", pending: 1 }),
    sampleSession({ id: "quiet" }),
    sampleSession({ id: "held", state: "exited", queued: 1, updated_at: 20 }),
    sampleSession({ id: "early", pending: 2 }),
    sampleSession({ id: "archived", state: "exited", queued: 1, archived_at: 5 }),
  ],
  pending: [prompt("early", 10), prompt("late", 30), prompt("early", 40)],
};

test("the session that has waited longest is the first one", () => {
  expect(needingSessions(BOARD)).toEqual(["early", "held", "late"]);
});

test("from a session that waits the next one follows, and the first after the last", () => {
  expect(nextNeeding(BOARD, "early")).toBe("held");
  expect(nextNeeding(BOARD, "late")).toBe("early");
});

test("from elsewhere the first one follows", () => {
  expect(nextNeeding(BOARD, "quiet")).toBe("early");
  expect(nextNeeding(BOARD, undefined)).toBe("early");
});

test("nothing follows where no other session waits", () => {
  const alone = { sessions: [sampleSession({ id: "one", pending: 1 })], pending: [] };
  expect(nextNeeding(alone, "one")).toBeUndefined();
  expect(nextNeeding({ sessions: [sampleSession()], pending: [] }, undefined)).toBeUndefined();
});
