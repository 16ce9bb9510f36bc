/** The current conversation, and the flags of a process that continues it (§7). */
import { describe, expect, test } from "bun:test";
import { buildClaudeArgs } from "../../claude/claude-args.ts";
import type { ResumePoint } from "../../messages/history-messages.ts";
import type { SessionChoice } from "../../messages/protocol-init.ts";
import { CurrentSession } from "../current-session.ts";

const OWN = "own";
const GIVEN = "11111111-2222-4333-8444-555555555555";
const NEWEST = "99999999-2222-4333-8444-555555555555";

/** The current conversation after a choice. A choice without an id finds the newest conversation. */
function chosen(choice: SessionChoice, resumePoint?: ResumePoint): CurrentSession {
  const session = new CurrentSession(() => OWN);
  const named = choice.mode === "continue" ? undefined : choice.session_id;
  session.switchTo({ choice, source: named ?? NEWEST, resumePoint });
  return session;
}

type Row = readonly [
  name: string,
  choice: SessionChoice,
  expected: { id: string; args: readonly string[]; previous?: string; isNew: boolean },
];

const ROWS: readonly Row[] = [
  [
    "a new conversation gets an id of tugtalk",
    { mode: "new" },
    { id: OWN, args: [`--session-id=${OWN}`], isNew: true },
  ],
  [
    "a new conversation gets the id that the host gave",
    { mode: "new", session_id: GIVEN },
    { id: GIVEN, args: [`--session-id=${GIVEN}`], isNew: true },
  ],
  [
    "a resume starts Claude with --resume",
    { mode: "resume", session_id: GIVEN },
    { id: GIVEN, args: [`--resume=${GIVEN}`], isNew: false },
  ],
  [
    "a continue resumes the newest conversation",
    { mode: "continue" },
    { id: NEWEST, args: [`--resume=${NEWEST}`], isNew: false },
  ],
  [
    "a fork of a given conversation resumes it under an id of tugtalk",
    { mode: "fork", session_id: GIVEN },
    {
      id: OWN,
      args: [`--resume=${GIVEN}`, "--fork-session", `--session-id=${OWN}`],
      previous: GIVEN,
      isNew: false,
    },
  ],
  [
    "a fork without an id forks the newest conversation",
    { mode: "fork" },
    {
      id: OWN,
      args: [`--resume=${NEWEST}`, "--fork-session", `--session-id=${OWN}`],
      previous: NEWEST,
      isNew: false,
    },
  ],
];

test.each([...ROWS])("%s", (_name, choice, { id, args, previous, isNew }) => {
  const session = chosen(choice);
  const sessionFlags = buildClaudeArgs(session.spawnArgs).filter((arg) =>
    /resume|continue|session/.test(arg),
  );
  expect(sessionFlags).toEqual([...args]);
  expect(session.id).toBe(id);
  expect(session.isNew).toBe(isNew);
  expect(session.initMessages).toEqual([
    {
      type: "session_init",
      session_id: id,
      mode: choice.mode,
      ...(previous !== undefined && { previous_session_id: previous }),
    },
  ]);
});

describe("CurrentSession", () => {
  test("CurrentSession emits nothing when a turn begins under the expected id", () => {
    expect(chosen({ mode: "new" }).recordTurn(OWN)).toEqual([]);
  });

  test("CurrentSession emits session_init with mode clear when a turn begins under another id", () => {
    const session = chosen({ mode: "new" });
    expect(session.recordTurn(GIVEN)).toEqual([
      { type: "session_init", session_id: GIVEN, mode: "clear", previous_session_id: OWN },
    ]);
    expect(session.id).toBe(GIVEN);
    expect(session.recordTurn(GIVEN)).toEqual([]);
  });

  test("CurrentSession starts a new conversation before the first turn, and resumes it after the first turn", () => {
    const session = chosen({ mode: "new" });
    session.prepareRestart();
    expect(session.spawnArgs).toEqual({ sessionIdOverride: OWN });
    expect(session.forkSource?.source).toBeUndefined();
    expect(session.initMessages).toMatchObject([{ mode: "new", session_id: OWN }]);
    session.recordTurn(OWN);
    session.prepareRestart();
    expect(session.spawnArgs).toEqual({ sessionId: OWN });
    expect(session.forkSource?.source).toBe(OWN);
    expect(session.initMessages).toMatchObject([{ mode: "resume", session_id: OWN }]);
  });

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
});

describe("conversation that is resumed at an earlier point", () => {
  const POINT: ResumePoint = { at: "line", bytes: 100 };

  test("a conversation that is resumed at an earlier point passes the resume point to each process until it is cleared", () => {
    const session = chosen({ mode: "resume", session_id: GIVEN }, POINT);
    expect(buildClaudeArgs(session.spawnArgs).slice(-2)).toEqual([
      `--resume=${GIVEN}`,
      "--resume-session-at=line",
    ]);
    session.recordTurn(GIVEN);
    session.prepareRestart();
    expect(session.openResumePoint).toEqual(POINT);
    expect(session.spawnArgs).toMatchObject({ resumeAt: "line" });
    session.clearResumePoint();
    expect(session.openResumePoint).toBeUndefined();
    expect(session.spawnArgs).toEqual({ sessionId: GIVEN });
  });

  test("a conversation that is resumed at an earlier point as a fork passes the resume point until a turn has begun in the fork", () => {
    const session = chosen({ mode: "fork", session_id: GIVEN }, POINT);
    expect(buildClaudeArgs(session.spawnArgs).slice(-4)).toEqual([
      `--resume=${GIVEN}`,
      "--fork-session",
      `--session-id=${OWN}`,
      "--resume-session-at=line",
    ]);
    session.recordTurn(OWN);
    expect(session.openResumePoint).toBeUndefined();
    expect(session.spawnArgs).toEqual({ sessionId: OWN });
  });

  test("a conversation that is resumed at an earlier point has no resume point after Claude cleared the conversation", () => {
    const session = chosen({ mode: "resume", session_id: GIVEN }, POINT);
    session.recordTurn(OWN);
    expect(session.spawnArgs).toEqual({ sessionId: OWN });
  });
});
