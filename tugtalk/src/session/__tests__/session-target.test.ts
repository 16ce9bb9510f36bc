/** The conversation that a choice resolves to, by its id or from files. */
import { describe, expect, test } from "bun:test";
import { failureOf } from "../../../testing/drivers/failure.ts";
import type { SessionChoice } from "../../messages/protocol-init.ts";
import { namedTarget, type PastSessions, resolveTarget } from "../session-target.ts";

const GIVEN = "11111111-2222-4333-8444-555555555555";
const NEWEST = "99999999-2222-4333-8444-555555555555";
const LAST = "88888888-2222-4333-8444-555555555555";
const MESSAGE = "77777777-2222-4333-8444-555555555555";
const POINT = { at: "line", bytes: 10 };

const PAST: PastSessions = {
  newestSessionId: async () => NEWEST,
  lastSessionId: async () => LAST,
  findPlace: async () => POINT,
  hasBranched: async () => false,
  isUnbegun: async () => false,
};

/** A folder without conversations. */
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
])("%j resolves to the source %p (without files: %p)", async (choice, source, isNamed) => {
  expect(await resolveTarget({ choice }, PAST)).toEqual({ choice, source });
  expect(namedTarget(choice)).toEqual(isNamed ? { choice, source } : undefined);
});

test.each<SessionChoice>([{ mode: "resume" }, { mode: "continue" }, { mode: "fork" }])(
  "%j fails in a folder without conversations",
  async (choice) => {
    expect(await failureOf(resolveTarget({ choice }, NOTHING))).toMatchObject({
      code: "resume_failed",
      reason: "no_such_session",
    });
  },
);

describe("at_message", () => {
  test.each<SessionChoice>([
    { mode: "resume", session_id: GIVEN, at_message: MESSAGE },
    { mode: "fork", session_id: GIVEN, at_message: MESSAGE },
    { mode: "continue", at_message: MESSAGE },
  ])("of %j is searched for in the conversation that the choice resolves to", async (choice) => {
    const asked: string[][] = [];
    const past: PastSessions = {
      ...PAST,
      findPlace: async (...args) => {
        asked.push(args);
        return POINT;
      },
    };
    const source = choice.mode === "continue" ? NEWEST : GIVEN;
    expect(namedTarget(choice)).toBeUndefined();
    expect(await resolveTarget({ choice }, past)).toEqual({ choice, source, resumePoint: POINT });
    expect(asked).toEqual([[source, MESSAGE]]);
  });

  const FIRST: PastSessions = { ...PAST, findPlace: async () => ({ at: undefined, bytes: 10 }) };

  test("at_message of the first message turns a fork into a new conversation", async () => {
    const choice: SessionChoice = { mode: "fork", session_id: GIVEN, at_message: MESSAGE };
    expect(await resolveTarget({ choice }, FIRST)).toEqual({
      choice: { mode: "new" },
      source: undefined,
    });
  });

  test("at_message of the first message makes a resume fail", async () => {
    const choice: SessionChoice = { mode: "resume", session_id: GIVEN, at_message: MESSAGE };
    expect(await failureOf(resolveTarget({ choice }, FIRST))).toMatchObject({
      code: "resume_failed",
    });
  });
});
