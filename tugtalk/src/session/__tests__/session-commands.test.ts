/** Switching from the current conversation to another one. Contract: `session_command`. */
import { describe, expect, test } from "bun:test";
import { initLine, promptLine, resultLine } from "../../../testing/drivers/claude-lines.ts";
import {
  emittedOf,
  expectGuarantees,
  sayAsHost,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import type { SessionCommand } from "../../types.ts";

const ID = "11111111-2222-4333-8444-555555555555";
const NEWEST = "99999999-2222-4333-8444-555555555555";

const command = (session: TestSession, fields: Partial<SessionCommand>) =>
  session.session.handleSessionCommand({
    type: "session_command",
    command: "new",
    id: "go",
    ...fields,
  });

/** A session in which one turn is over, or still open. */
async function used(isOpen: boolean): Promise<TestSession> {
  const session = await startSession({ newestSessionId: NEWEST });
  sayAsHost(session, "one");
  await session.claude().say(initLine({ session_id: session.session.sessionId }));
  if (!isOpen) await session.claude().say(resultLine({ session_id: session.session.sessionId }));
  return session;
}

/** The session flags of the latest start. */
const sessionFlags = (session: TestSession) => session.starts.at(-1)?.slice(6);

type Row = readonly [
  fields: Partial<SessionCommand>,
  flags: (own: string, left: string) => string[],
  init: object,
];

const ROWS: readonly Row[] = [
  [{ command: "new" }, (own) => [`--session-id=${own}`], { mode: "new" }],
  [
    { command: "new", session_id: ID },
    () => [`--session-id=${ID}`],
    { mode: "new", session_id: ID },
  ],
  [
    { command: "resume", session_id: ID },
    () => [`--resume=${ID}`],
    { mode: "resume", session_id: ID },
  ],
  [{ command: "continue" }, () => [`--resume=${NEWEST}`], { mode: "continue", session_id: NEWEST }],
  [
    { command: "fork" },
    (own, left) => [`--resume=${left}`, "--fork-session", `--session-id=${own}`],
    { mode: "fork" },
  ],
  [
    { command: "fork", session_id: ID },
    (own) => [`--resume=${ID}`, "--fork-session", `--session-id=${own}`],
    { mode: "fork", previous_session_id: ID },
  ],
];

describe.each([
  ["session_command while idle", false],
  ["session_command in a turn", true],
] as const)("%s", (_state, isOpen) => {
  test.each([...ROWS])(
    "%j ends the current process, then starts the other conversation",
    async (fields, flags, init) => {
      const session = await used(isOpen);
      const left = session.session.sessionId ?? "?";
      const old = session.claude();
      command(session, fields);
      expect(session.emitted.at(-1)).toMatchObject({
        type: "control_result",
        ok: true,
        in_reply_to: "go",
      });
      await session.settle();
      expect(old.isInputClosed()).toBe(true);
      expect(old.writes.at(-1)).toMatchObject(
        isOpen ? { request: { subtype: "interrupt" } } : { type: "user" },
      );
      expect(session.starts).toHaveLength(1);

      await old.exit({ exitCode: isOpen ? 1 : 0 });
      await session.settle();
      expect(emittedOf(session, "turn_cancelled")).toMatchObject(
        isOpen ? [{ reason: "session_command" }] : [],
      );
      expect(emittedOf(session, "process_exit")).toMatchObject([
        { expected: true, will_restart: false },
      ]);
      expect(sessionFlags(session)).toEqual(flags(session.session.sessionId ?? "?", left));
      await session.initialize();
      expect(emittedOf(session, "session_init").at(-1)).toMatchObject(init);
      expectGuarantees(session);
    },
  );
});

describe("session_command", () => {
  test("session_command is refused when 16 commands are already queued", async () => {
    const session = await used(false);
    for (let at = 0; at < 16; at += 1) command(session, {});
    expect(emittedOf(session, "control_result").every(({ ok }) => ok)).toBe(true);
    command(session, {});
    expect(session.emitted.at(-1)).toMatchObject({
      type: "control_result",
      ok: false,
      error: "too many changes of conversation wait already",
    });
  });

  test("session_command cancels queued messages and closes open prompts", async () => {
    const session = await used(true);
    sayAsHost(session, "waits");
    await session.claude().say(promptLine("r"));
    command(session, {});
    await session.claude().exit();
    await session.settle();
    expect(emittedOf(session, "message_status").slice(-2)).toMatchObject([
      { status: "cancelled", reason: "session_command" },
      { status: "failed" },
    ]);
    expect(emittedOf(session, "control_request_cancel")).toHaveLength(1);
    expectGuarantees(session);
  });

  test("session_command holds messages that are sent after it for the new conversation", async () => {
    const session = await used(false);
    const old = session.claude();
    command(session, {});
    sayAsHost(session, "for the new one");
    await session.settle();
    expect(old.writes.filter(({ type }) => type === "user")).toHaveLength(1);
    await old.exit();
    await session.settle();
    await session.initialize();
    expect(session.claude().writes.at(-1)).toMatchObject({
      message: { content: [{ text: "for the new one" }] },
    });
    expectGuarantees(session);
  });

  test("resume without an id resumes the conversation that was saved last", async () => {
    const session = await startSession({ lastSessionId: ID, newestSessionId: NEWEST });
    command(session, { command: "resume" });
    await session.claude().exit();
    await session.settle();
    expect(sessionFlags(session)).toEqual([`--resume=${ID}`]);
    await session.initialize();
    expect(emittedOf(session, "session_init").at(-1)).toMatchObject({
      session_id: ID,
      mode: "resume",
    });
  });

  test("resume without an id fails and starts no process when no conversation was saved", async () => {
    const session = await startSession({ newestSessionId: NEWEST });
    command(session, { command: "resume" });
    await session.claude().exit();
    await session.settle();
    expect(emittedOf(session, "error")).toMatchObject([
      { code: "resume_failed", reason: "no_such_session", recoverable: true },
    ]);
    expect(session.starts).toHaveLength(1);
  });

  test("fork of an empty conversation starts a new one", async () => {
    const session = await startSession({ newestSessionId: NEWEST });
    command(session, { command: "fork" });
    await session.claude().exit();
    await session.settle();
    expect(sessionFlags(session)).toEqual([`--session-id=${session.session.sessionId}`]);
    await session.initialize();
    expect(emittedOf(session, "session_init").at(-1)).toMatchObject({ mode: "new" });
  });

  test("fork without an id fails and starts no process after a failed resume", async () => {
    const session = await startSession({ newestSessionId: NEWEST });
    command(session, { command: "resume" });
    await session.claude().exit();
    await session.settle();
    command(session, { command: "fork" });
    await session.settle();
    expect(emittedOf(session, "error").slice(1)).toMatchObject([
      { code: "resume_failed", recoverable: true },
    ]);
    expect(session.starts).toHaveLength(1);
  });

  test("session_command runs after the previous session_command is complete", async () => {
    const session = await used(false);
    const old = session.claude();
    command(session, { command: "resume", session_id: ID });
    command(session, { command: "new" });
    await session.settle();
    await old.exit();
    await session.settle();
    expect(session.starts).toHaveLength(2);
    await session.claude().exit();
    await session.settle();
    expect(session.starts).toHaveLength(3);
    expect(sessionFlags(session)).toEqual([`--session-id=${session.session.sessionId}`]);
    await session.initialize();
    expectGuarantees(session);
  });

  test("session_command starts a process when none is running", async () => {
    const session = await used(false);
    await session.claude().exit();
    command(session, { command: "resume", session_id: ID });
    await session.settle();
    expect(sessionFlags(session)).toEqual([`--resume=${ID}`]);
  });

  test("session_command is refused during a shutdown", async () => {
    const session = await used(false);
    const gone = session.session.shutdown(false);
    command(session, {});
    expect(session.emitted.at(-1)).toMatchObject({
      type: "control_result",
      ok: false,
      error: "shutting down",
    });
    await session.settle();
    await session.claude().exit();
    await gone;
    expect(session.starts).toHaveLength(1);
  });
});

const WAITING = "22222222-2222-4333-8444-555555555555";

type Method = readonly [
  name: "handleSessionFork" | "handleSessionContinue" | "handleNewSession",
  flags: (own: string, left: string) => string[],
  init: (left: string) => object,
];

const METHODS: readonly Method[] = [
  [
    "handleSessionFork",
    (own, left) => [`--resume=${left}`, "--fork-session", `--session-id=${own}`],
    (left) => ({ mode: "fork", previous_session_id: left }),
  ],
  [
    "handleSessionContinue",
    () => [`--resume=${NEWEST}`],
    () => ({ mode: "continue", session_id: NEWEST }),
  ],
  ["handleNewSession", (own) => [`--session-id=${own}`], () => ({ mode: "new" })],
];

describe.each([...METHODS])("%s", (method, flags, init) => {
  /** A turn with an open prompt, and a queued message. */
  async function left(): Promise<{ session: TestSession; id: string }> {
    const session = await used(true);
    const id = session.session.sessionId ?? "?";
    sayAsHost(session, "waits", { message_id: WAITING });
    await session.claude().say(promptLine("r"));
    session.session[method]();
    await session.settle();
    return { session, id };
  }

  test("a switch ends the current process with its turn, its prompt and its queued message", async () => {
    const { session } = await left();
    const old = session.claude();
    expect(old.writes.slice(-2)).toMatchObject([
      { request: { subtype: "interrupt" } },
      { response: { request_id: "r", response: { behavior: "deny" } } },
    ]);
    expect(old.isInputClosed()).toBe(true);
    expect(session.starts).toHaveLength(1);

    await old.exit({ exitCode: 1 });
    expect(emittedOf(session, "turn_cancelled")).toMatchObject([{ reason: "session_command" }]);
    expect(emittedOf(session, "control_request_cancel")).toMatchObject([{ request_id: "r" }]);
    expect(emittedOf(session, "message_status").slice(-2)).toMatchObject([
      { message_id: WAITING, status: "cancelled", reason: "session_command" },
      { status: "failed" },
    ]);
    expect(emittedOf(session, "process_exit")).toMatchObject([
      { pid: 1, expected: true, will_restart: false },
    ]);
    expectGuarantees(session);
  });

  test("a switch starts a process with its own session flags and without --continue", async () => {
    const { session, id } = await left();
    await session.claude().exit({ exitCode: 1 });
    await session.settle();
    expect(session.starts).toHaveLength(2);
    expect(sessionFlags(session)).toEqual(flags(session.session.sessionId ?? "?", id));
    expect(session.starts[1]).not.toContain("--continue");
  });

  test("a switch is complete when session_init names the new conversation", async () => {
    const { session, id } = await left();
    await session.claude().exit({ exitCode: 1 });
    await session.settle();
    expect(emittedOf(session, "session_init")).toHaveLength(1);
    await session.initialize();
    const [, emitted] = emittedOf(session, "session_init");
    expect(emitted).toMatchObject({ session_id: session.session.sessionId, ...init(id) });
    expect(emitted?.["session_id"]).not.toBe(id);

    sayAsHost(session, "to the new one");
    expect(session.claude().writes.at(-1)).toMatchObject({
      message: { content: [{ text: "to the new one" }] },
    });
    expectGuarantees(session);
  });
});

describe("concurrent session_command", () => {
  test("a fork branches off the conversation that is current when the fork runs", async () => {
    const session = await used(false);
    command(session, { command: "resume", session_id: ID });
    command(session, { command: "fork" });
    await session.claude().exit();
    await session.settle();
    expect(sessionFlags(session)).toEqual([`--resume=${ID}`]);
    await session.claude().exit();
    await session.settle();
    const own = session.session.sessionId;
    expect(sessionFlags(session)).toEqual([
      `--resume=${ID}`,
      "--fork-session",
      `--session-id=${own}`,
    ]);
  });

  test("session_command is not affected by the deadline of an interrupt in the previous conversation", async () => {
    const session = await startSession({ init: { options: { interrupt_timeout_ms: 1_000 } } });
    sayAsHost(session, "one");
    await session.claude().say(initLine({ session_id: session.session.sessionId }));
    session.session.handleInterrupt({ type: "interrupt" });
    session.clock.advance(900);
    command(session, {});
    await session.settle();
    const old = session.claude();
    session.clock.advance(100);
    await session.settle();
    await old.exit({ exitCode: null, signal: "SIGKILL" });
    await session.settle();
    expect(session.starts).toHaveLength(2);
    expect(session.claude().isInputClosed()).toBe(false);
    expect(emittedOf(session, "error")).toEqual([]);
    expectGuarantees(session);
  });
});

test("a fork at a message of an empty conversation fails and uses no other conversation", async () => {
  const session = await startSession({ newestSessionId: NEWEST });
  command(session, { command: "fork", at_message: ID });
  await session.claude().exit();
  await session.settle();
  expect(emittedOf(session, "error")).toMatchObject([{ code: "resume_failed", recoverable: true }]);
  expect(session.starts).toHaveLength(1);
});
