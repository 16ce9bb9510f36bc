/** Which conversation a choice means, and what has to be asked of files to know it. */
import { describe, expect, test } from "bun:test";
import { failureOf } from "../../../testing/drivers/failure.ts";
import type { SessionChoice } from "../../messages/protocol-init.ts";
import { findSession, namedSession, type PastSessions } from "../session-search.ts";

const GIVEN = "11111111-2222-4333-8444-555555555555";
const NEWEST = "99999999-2222-4333-8444-555555555555";
const LAST = "88888888-2222-4333-8444-555555555555";
const MESSAGE = "77777777-2222-4333-8444-555555555555";
const PLACE = { at: "line", bytes: 10 };

const PAST: PastSessions = {
  newestSessionId: async () => NEWEST,
  lastSessionId: async () => LAST,
  findPlace: async () => PLACE,
  hasBranched: async () => false,
};

/** A folder in which nothing was ever said. */
const NOTHING: PastSessions = {
  ...PAST,
  newestSessionId: async () => undefined,
  lastSessionId: async () => undefined,
};

type Row = readonly [choice: SessionChoice, source: string | undefined, isNamed: boolean];

test.each<Row>([
  [{ mode: "new" }, undefined, true],
  [{ mode: "new", session_id: GIVEN }, undefined, true],
  [{ mode: "resume", session_id: GIVEN }, GIVEN, true],
  [{ mode: "resume" }, LAST, false],
  [{ mode: "continue" }, NEWEST, false],
  [{ mode: "fork", session_id: GIVEN }, GIVEN, true],
  [{ mode: "fork" }, NEWEST, false],
])("%j means %p, known without files: %p", async (choice, source, isNamed) => {
  expect(await findSession(choice, PAST)).toEqual({ choice, source });
  expect(namedSession(choice)).toEqual(isNamed ? { choice, source } : undefined);
});

test.each<SessionChoice>([{ mode: "resume" }, { mode: "continue" }, { mode: "fork" }])(
  "%j finds nothing to go on with where nothing was said",
  async (choice) => {
    expect(await failureOf(findSession(choice, NOTHING))).toMatchObject({
      code: "resume_failed",
      reason: "no_such_session",
    });
  },
);

describe("a place in it", () => {
  test.each<SessionChoice>([
    { mode: "resume", session_id: GIVEN, at_message: MESSAGE },
    { mode: "fork", session_id: GIVEN, at_message: MESSAGE },
    { mode: "continue", at_message: MESSAGE },
  ])("of %j is looked for in the conversation that is meant", async (choice) => {
    const asked: string[][] = [];
    const past: PastSessions = {
      ...PAST,
      findPlace: async (...words) => {
        asked.push(words);
        return PLACE;
      },
    };
    const source = choice.mode === "continue" ? NEWEST : GIVEN;
    expect(namedSession(choice)).toBeUndefined();
    expect(await findSession(choice, past)).toEqual({ choice, source, place: PLACE });
    expect(asked).toEqual([[source, MESSAGE]]);
  });

  const FIRST: PastSessions = { ...PAST, findPlace: async () => ({ at: undefined, bytes: 10 }) };

  test("before the first message makes a branch a new conversation", async () => {
    const choice: SessionChoice = { mode: "fork", session_id: GIVEN, at_message: MESSAGE };
    expect(await findSession(choice, FIRST)).toEqual({
      choice: { mode: "new" },
      source: undefined,
    });
  });

  test("before the first message leaves nothing to resume", async () => {
    const choice: SessionChoice = { mode: "resume", session_id: GIVEN, at_message: MESSAGE };
    expect(await failureOf(findSession(choice, FIRST))).toMatchObject({ code: "resume_failed" });
  });
});
