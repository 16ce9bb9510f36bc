/** Which conversation is in hand, and how a process goes on with it (D04, D10; §7). */
import { describe, expect, test } from "bun:test";
import { buildClaudeArgs } from "../../claude/claude-args.ts";
import type { ResumePoint } from "../../messages/history-messages.ts";
import type { SessionChoice } from "../../messages/protocol-init.ts";
import { SessionIdentity } from "../session-identity.ts";

const MINTED = "minted";
const GIVEN = "11111111-2222-4333-8444-555555555555";
const NEWEST = "99999999-2222-4333-8444-555555555555";

/** The identity after a choice; where it names no conversation, the newest was found. */
function chosen(choice: SessionChoice, place?: ResumePoint): SessionIdentity {
  const identity = new SessionIdentity(() => MINTED);
  const named = choice.mode === "continue" ? undefined : choice.session_id;
  identity.choose({ choice, source: named ?? NEWEST, ...(place !== undefined && { place }) });
  return identity;
}

type Row = readonly [
  name: string,
  choice: SessionChoice,
  expected: { id: string; args: readonly string[]; previous?: string; isNew: boolean },
];

const ROWS: readonly Row[] = [
  [
    "a new conversation gets an id of ours",
    { mode: "new" },
    { id: MINTED, args: [`--session-id=${MINTED}`], isNew: true },
  ],
  [
    "a new conversation takes the host's id",
    { mode: "new", session_id: GIVEN },
    { id: GIVEN, args: [`--session-id=${GIVEN}`], isNew: true },
  ],
  [
    "a resume names the conversation",
    { mode: "resume", session_id: GIVEN },
    { id: GIVEN, args: [`--resume=${GIVEN}`], isNew: false },
  ],
  [
    "a continue is a resume of the newest",
    { mode: "continue" },
    { id: NEWEST, args: [`--resume=${NEWEST}`], isNew: false },
  ],
  [
    "a fork of a given one is a resume under an id of ours",
    { mode: "fork", session_id: GIVEN },
    {
      id: MINTED,
      args: [`--resume=${GIVEN}`, "--fork-session", `--session-id=${MINTED}`],
      previous: GIVEN,
      isNew: false,
    },
  ],
  [
    "a fork without an id is one of the newest",
    { mode: "fork" },
    {
      id: MINTED,
      args: [`--resume=${NEWEST}`, "--fork-session", `--session-id=${MINTED}`],
      previous: NEWEST,
      isNew: false,
    },
  ],
];

test.each([...ROWS])("%s", (_name, choice, { id, args, previous, isNew }) => {
  const identity = chosen(choice);
  const sessionFlags = buildClaudeArgs(identity.args).filter((arg) =>
    /resume|continue|session/.test(arg),
  );
  expect(sessionFlags).toEqual([...args]);
  expect(identity.id).toBe(id);
  expect(identity.startsFromNothing).toBe(isNew);
  expect(identity.announce()).toEqual([
    {
      type: "session_init",
      session_id: id,
      mode: choice.mode,
      ...(previous !== undefined && { previous_session_id: previous }),
    },
  ]);
});

describe("what Claude says of the id", () => {
  test("the expected id is no news", () => {
    expect(chosen({ mode: "new" }).note(MINTED)).toEqual([]);
  });

  test("another id is a conversation that was cleared", () => {
    const identity = chosen({ mode: "new" });
    expect(identity.note(GIVEN)).toEqual([
      { type: "session_init", session_id: GIVEN, mode: "clear", previous_session_id: MINTED },
    ]);
    expect(identity.id).toBe(GIVEN);
    expect(identity.note(GIVEN)).toEqual([]);
  });

  test("before anything was said a process starts anew, afterwards it resumes", () => {
    const identity = chosen({ mode: "new" });
    identity.keep();
    expect(identity.args).toEqual({ sessionIdOverride: MINTED });
    expect(identity.current?.source).toBeUndefined();
    expect(identity.announce()).toMatchObject([{ mode: "new", session_id: MINTED }]);
    identity.note(MINTED);
    identity.keep();
    expect(identity.args).toEqual({ sessionId: MINTED });
    expect(identity.current?.source).toBe(MINTED);
    expect(identity.announce()).toMatchObject([{ mode: "resume", session_id: MINTED }]);
  });

  test("a fork is forked again under another id until something was said in it", () => {
    const ids = ["first", "second", "third"];
    const identity = new SessionIdentity(() => ids.shift() ?? "");
    identity.choose({ choice: { mode: "fork", session_id: GIVEN }, source: GIVEN });
    expect(identity.args).toMatchObject({ sessionId: GIVEN, sessionIdOverride: "first" });
    identity.keep();
    expect(identity.args).toEqual({
      sessionId: GIVEN,
      forkSession: true,
      sessionIdOverride: "second",
      resumeAt: undefined,
    });
    expect(identity.current?.source).toBe(GIVEN);
    identity.note("second");
    identity.keep();
    expect(identity.args).toEqual({ sessionId: "second" });
  });
});

describe("a conversation that is taken up at an earlier place", () => {
  const PLACE: ResumePoint = { at: "line", bytes: 100 };

  test("names the place to each process until Claude has answered from there", () => {
    const identity = chosen({ mode: "resume", session_id: GIVEN }, PLACE);
    expect(buildClaudeArgs(identity.args).slice(-2)).toEqual([
      `--resume=${GIVEN}`,
      "--resume-session-at=line",
    ]);
    identity.note(GIVEN);
    identity.keep();
    expect(identity.openPlace).toEqual(PLACE);
    expect(identity.args).toMatchObject({ resumeAt: "line" });
    identity.closePlace();
    expect(identity.openPlace).toBeUndefined();
    expect(identity.args).toEqual({ sessionId: GIVEN });
  });

  test("as a branch names it until something was said in the branch", () => {
    const identity = chosen({ mode: "fork", session_id: GIVEN }, PLACE);
    expect(buildClaudeArgs(identity.args).slice(-4)).toEqual([
      `--resume=${GIVEN}`,
      "--fork-session",
      `--session-id=${MINTED}`,
      "--resume-session-at=line",
    ]);
    identity.note(MINTED);
    expect(identity.openPlace).toBeUndefined();
    expect(identity.args).toEqual({ sessionId: MINTED });
  });

  test("and then cleared has no place any more", () => {
    const identity = chosen({ mode: "resume", session_id: GIVEN }, PLACE);
    identity.note(MINTED);
    expect(identity.args).toEqual({ sessionId: MINTED });
  });
});
