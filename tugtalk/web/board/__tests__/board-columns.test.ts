/** What is in the columns of the board, and in the list beside a session. */
import { expect, test } from "bun:test";
import type { SessionInfo } from "../../../client/host-api.ts";
import { sampleSession } from "../../store/__tests__/support/session-sample.ts";
import { boardColumns } from "../board-columns.ts";
import { sessionListParts } from "../session-sidebar.tsx";

function idsIn(sessions: readonly SessionInfo[], filter = ""): Record<string, readonly string[]> {
  const columns = boardColumns(sessions, filter);
  return Object.fromEntries(
    columns.map(({ column, sessions: shown }) => [column, shown.map(({ id }) => id)]),
  );
}

const SESSIONS = [
  sampleSession({ id: "busy-new", state: "running", updated_at: 1 }),
  sampleSession({ id: "busy-old", state: "running", updated_at: 9 }),
  sampleSession({ id: "quiet-old", updated_at: 2, title: "Fix the upload" }),
  sampleSession({ id: "quiet-new", updated_at: 8, dir: "/srv/Upload", place: "build" }),
  sampleSession({ id: "done", state: "exited" }),
  sampleSession({ id: "asking", pending: 1, last_text: "May I?" }),
];

test("sessions that work stay in the order of the host, and the quiet ones are in the order of their last change", () => {
  expect(idsIn(SESSIONS)).toEqual({
    "needs-you": ["asking"],
    working: ["busy-new", "busy-old"],
    idle: ["quiet-new", "quiet-old"],
    ended: ["done"],
  });
});

test("a filter finds the sessions with all of its words in title, folder, place or last words, in any case", () => {
  expect(idsIn(SESSIONS, "UPLOAD")["idle"]).toEqual(["quiet-new", "quiet-old"]);
  expect(idsIn(SESSIONS, " upload  build ")["idle"]).toEqual(["quiet-new"]);
  expect(idsIn(SESSIONS, "may i?")["needs-you"]).toEqual(["asking"]);
  expect(Object.values(idsIn(SESSIONS, "nothing")).flat()).toEqual([]);
});

test("the list beside a session has all that are not ended in the order of the host, and the latest ended ones", () => {
  const ended = Array.from({ length: 40 }, (_, index) =>
    sampleSession({ id: `ended-${index}`, state: "exited", updated_at: index }),
  );
  const parts = sessionListParts([...ended, ...SESSIONS]);
  expect(parts.live.map(({ id }) => id)).toEqual(
    SESSIONS.map(({ id }) => id).filter((id) => id !== "done"),
  );
  expect(parts.ended).toHaveLength(15);
  expect(parts.ended[0]?.id).toBe("done");
  expect(parts.ended[1]?.id).toBe("ended-39");
});
