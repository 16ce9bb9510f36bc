/** Switching from the current conversation to another one. Contract: `session_command`. */
import { describe, expect, test } from "bun:test";
import { initLine, promptLine, resultLine } from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import type { SessionCommand } from "../../types.ts";

const ID = "11111111-2222-4333-8444-555555555555";
const NEWEST = "99999999-2222-4333-8444-555555555555";

/** A session in which one turn is over, or still open. */
async function used(isOpen = false): Promise<TestSession> {
  const session = await startSession({ newestSessionId: NEWEST });
  session.message("one");
  await session.say(initLine({ session_id: session.id }));
  if (!isOpen) await session.say(resultLine({ session_id: session.id }));
  return session;
}

const branch = (from: string, own: string) => [
  `--resume=${from}`,
  "--fork-session",
  `--session-id=${own}`,
];

type Row = readonly [
  command: SessionCommand["command"],
  fields: Partial<SessionCommand>,
  flags: (own: string, left: string) => string[],
  init: object,
];

const ROWS: readonly Row[] = [
  ["new", {}, (own) => [`--session-id=${own}`], { mode: "new" }],
  ["new", { session_id: ID }, () => [`--session-id=${ID}`], { mode: "new", session_id: ID }],
  ["resume", { session_id: ID }, () => [`--resume=${ID}`], { mode: "resume", session_id: ID }],
  ["continue", {}, () => [`--resume=${NEWEST}`], { mode: "continue", session_id: NEWEST }],
  ["fork", {}, (own, left) => branch(left, own), { mode: "fork" }],
  ["fork", { session_id: ID }, (own) => branch(ID, own), { mode: "fork", previous_session_id: ID }],
];

describe.each([
  ["session_command while idle", false],
  ["session_command in a turn", true],
] as const)("%s", (_state, isOpen) => {
  test.each([...ROWS])(
    "%s %j ends the current process, then starts the other conversation",
    async (command, fields, flags, init) => {
      const session = await used(isOpen);
      const left = session.id;
      const old = session.claude();
      session.command(command, { ...fields, id: "go" });
      expect(session.last).toMatchObject({ type: "control_result", ok: true, in_reply_to: "go" });
      await session.settle();
      expect(old.isInputClosed()).toBe(true);
      expect(session.lastWrite).toMatchObject(
        isOpen ? { request: { subtype: "interrupt" } } : { type: "user" },
      );
      expect(session.starts).toHaveLength(1);

      await session.exit({ exitCode: isOpen ? 1 : 0 });
      expect(session.of("turn_cancelled")).toMatchObject(
        isOpen ? [{ reason: "session_command" }] : [],
      );
      expect(session.of("process_exit")).toMatchObject([{ expected: true, will_restart: false }]);
      expect(session.flags).toEqual(flags(session.id, left));
      await session.initialize();
      expect(session.of("session_init").at(-1)).toMatchObject({ ...init, session_id: session.id });
    },
  );
});

test("session_command is refused when 16 commands are already queued", async () => {
  const session = await used();
  for (let at = 0; at < 16; at += 1) session.command("new");
  expect(session.of("control_result").every(({ ok }) => ok)).toBe(true);
  session.command("new");
  const error = "too many changes of conversation wait already";
  expect(session.last).toMatchObject({ type: "control_result", ok: false, error });
});

test("session_command ends the turn with its open prompt and the queued message", async () => {
  const session = await used(true);
  session.message("waits");
  await session.say(promptLine("r"));
  session.command("new");
  await session.settle();
  expect(session.claude().writes.slice(-2)).toMatchObject([
    { request: { subtype: "interrupt" } },
    { response: { request_id: "r", response: { behavior: "deny" } } },
  ]);
  await session.exit();
  expect(session.receipts().slice(-2)).toEqual(["cancelled session_command", "failed"]);
  expect(session.of("control_request_cancel")).toMatchObject([{ request_id: "r" }]);
});

test("session_command holds messages that are sent after it for the new conversation", async () => {
  const session = await used();
  session.command("new");
  session.message("for the new one");
  await session.settle();
  expect(session.sentTexts).toEqual(["one"]);
  await session.exit();
  await session.initialize();
  expect(session.sentTexts).toEqual(["for the new one"]);
});

test("resume without an id resumes the conversation that was saved last", async () => {
  const session = await startSession({ lastSessionId: ID, newestSessionId: NEWEST });
  await session.change("resume");
  expect(session.flags).toEqual([`--resume=${ID}`]);
  await session.initialize();
  expect(session.of("session_init").at(-1)).toMatchObject({ session_id: ID, mode: "resume" });
});

test("fork of an empty conversation starts a new one", async () => {
  const session = await startSession({ newestSessionId: NEWEST });
  await session.change("fork");
  expect(session.flags).toEqual([`--session-id=${session.id}`]);
  await session.initialize();
  expect(session.of("session_init").at(-1)).toMatchObject({ mode: "new" });
});

test("resume without an id fails and starts no process when no conversation was saved, and so does a fork after it", async () => {
  const session = await startSession({ newestSessionId: NEWEST });
  await session.change("resume");
  const failed = { code: "resume_failed", recoverable: true };
  expect(session.of("error")).toMatchObject([{ ...failed, reason: "no_such_session" }]);
  session.command("fork");
  await session.settle();
  expect(session.of("error").slice(1)).toMatchObject([failed]);
  expect(session.starts).toHaveLength(1);
});

test("a fork at a message of an empty conversation fails and uses no other conversation", async () => {
  const session = await startSession({ newestSessionId: NEWEST });
  await session.change("fork", { at_message: ID });
  expect(session.of("error")).toMatchObject([{ code: "resume_failed", recoverable: true }]);
  expect(session.starts).toHaveLength(1);
});

test("session_command starts a process when none is running", async () => {
  const session = await used();
  await session.exit();
  session.command("resume", { session_id: ID });
  await session.settle();
  expect(session.flags).toEqual([`--resume=${ID}`]);
});

test("session_command is refused during a shutdown", async () => {
  const session = await used();
  const gone = session.session.shutdown(false);
  session.command("new");
  expect(session.last).toMatchObject({ type: "control_result", ok: false, error: "shutting down" });
  await session.settle();
  await session.exit();
  await gone;
  expect(session.starts).toHaveLength(1);
});

test("session_command runs after the previous one, and a fork branches off the conversation that is current then", async () => {
  const session = await used();
  session.command("resume", { session_id: ID });
  session.command("fork");
  await session.settle();
  await session.exit();
  expect(session.flags).toEqual([`--resume=${ID}`]);
  expect(session.starts).toHaveLength(2);
  await session.exit();
  expect(session.flags).toEqual(branch(ID, session.id));
  await session.initialize();
});

test("session_command is not affected by the deadline of an interrupt in the previous conversation", async () => {
  const session = await startSession({ init: { options: { interrupt_timeout_ms: 1_000 } } });
  session.message("one");
  await session.say(initLine({ session_id: session.id }));
  session.interrupt();
  session.clock.advance(900);
  session.command("new");
  await session.settle();
  session.clock.advance(100);
  await session.settle();
  await session.crash();
  expect(session.starts).toHaveLength(2);
  expect(session.claude().isInputClosed()).toBe(false);
  expect(session.of("error")).toEqual([]);
});
