/** The sessions in the columns of the board, and beside them. */
import { expect, test } from "bun:test";
import type { SessionInfo } from "../../../client/host-api.ts";
import { sampleSession } from "../../store/__tests__/support/session-sample.ts";
import { boardParts } from "../board-columns.ts";

function idsIn(sessions: readonly SessionInfo[], filter = ""): Record<string, readonly string[]> {
  const { columns } = boardParts(sessions, filter);
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
    asleep: ["done"],
  });
});

test("a filter finds the sessions with all of its words in title, folder, place or last words, in any case", () => {
  expect(idsIn(SESSIONS, "UPLOAD")["idle"]).toEqual(["quiet-new", "quiet-old"]);
  expect(idsIn(SESSIONS, " upload  build ")["idle"]).toEqual(["quiet-new"]);
  expect(idsIn(SESSIONS, "may i?")["needs-you"]).toEqual(["asking"]);
  expect(Object.values(idsIn(SESSIONS, "nothing")).flat()).toEqual([]);
});

test("archived sessions are beside the columns, the latest first, and are found by a filter", () => {
  const archived = [
    sampleSession({ id: "first", archived_at: 1, title: "One" }),
    sampleSession({ id: "last", archived_at: 2, updated_at: 1, title: "Two" }),
  ];
  const shown = (filter: string) =>
    boardParts([...SESSIONS, ...archived], filter).archived.map(({ id }) => id);
  expect(shown("")).toEqual(["last", "first"]);
  expect(shown("one")).toEqual(["first"]);
});
