/** Conversations that are resumed at an earlier message, and their resume points until Claude answers. */
import { describe, expect, test } from "bun:test";
import type { TestSessionOptions } from "../../../testing/drivers/session-records.ts";
import { echoLine, initLine, resultLine } from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { FIRST, working } from "../../../testing/drivers/working-session.ts";

const ID = "11111111-2222-4333-8444-555555555555";
const MESSAGE = "77777777-2222-4333-8444-555555555555";

const resumePoint = { at: "line", bytes: 10 };
const session_id = ID;

/** A session that is resumed or forked at `MESSAGE`. */
const startAt = (mode: "resume" | "fork", options: TestSessionOptions = { resumePoint }) =>
  startSession({ init: { session: { mode, session_id, at_message: MESSAGE } }, ...options });

const branch = (session: TestSession, source = ID) => [
  `--resume=${source}`,
  "--fork-session",
  `--session-id=${session.id}`,
];

test("a conversation that is resumed or forked at an earlier message passes the resume point of a resume to each process until Claude has answered", async () => {
  const session = await startAt("resume");
  expect(session.flags).toEqual([`--resume=${ID}`, "--resume-session-at=line"]);
  expect(session.of("session_init")).toMatchObject([{ session_id, mode: "resume" }]);
  session.message("again");
  await session.say(initLine({ session_id }));
  await session.crash();
  await session.restart("once more");
  expect(session.starts[1]).toContain("--resume-session-at=line");
});

test("a conversation that is resumed or forked at an earlier message passes no resume point of a resume after Claude has answered", async () => {
  const session = await startAt("resume", { resumePoint, hasBranched: true });
  await session.exit();
  await session.restart();
  expect(session.flags).toEqual([`--resume=${ID}`]);
});

test("a conversation that is resumed or forked at an earlier message passes the resume point of a fork, which has its own id", async () => {
  const session = await startSession({ resumePoint });
  session.message("begin");
  await session.say(initLine({ session_id }));
  await session.change("fork", { at_message: MESSAGE });
  expect(session.id).not.toBe(ID);
  expect(session.flags).toEqual([...branch(session), "--resume-session-at=line"]);
  await session.initialize();
  const init = { session_id: session.id, mode: "fork", previous_session_id: ID };
  expect(session.of("session_init").at(-1)).toMatchObject(init);
});

test("a conversation that is resumed or forked at an earlier message is a new conversation when it is forked before its first message", async () => {
  const session = await startAt("fork", {});
  expect(session.flags).toEqual([`--session-id=${session.id}`]);
  expect(session.of("session_init")).toMatchObject([{ mode: "new" }]);
});

test("a conversation that is continued at an earlier message is the newest one of the folder", async () => {
  const newestSessionId = "99999999-2222-4333-8444-555555555555";
  const init = { session: { mode: "continue", at_message: MESSAGE } } as const;
  const session = await startSession({ init, newestSessionId, resumePoint });
  expect(session.resumePointSearches).toEqual([[newestSessionId, MESSAGE]]);
  expect(session.flags).toEqual([`--resume=${newestSessionId}`, "--resume-session-at=line"]);
});

test("a conversation cannot be resumed before its first message", async () => {
  const session = await startAt("resume", { isReady: false });
  expect(session.of("error")).toMatchObject([{ code: "resume_failed" }]);
  expect(session.starts).toEqual([]);
});

describe("fork of a conversation at a resume point", () => {
  test("a fork of a conversation at a resume point has the resume point while the first fork has no message", async () => {
    const session = await startAt("fork");
    await session.change("fork");
    expect(session.flags).toEqual([...branch(session), "--resume-session-at=line"]);
  });

  test("a fork of a conversation at a resume point resumes the whole first fork when the first fork has a message", async () => {
    const session = await startAt("fork");
    const first = session.id;
    session.message("go on");
    await session.say(initLine({ session_id: first }));
    await session.change("fork");
    expect(session.flags).toEqual(branch(session, first));
  });

  test.each([
    [
      "has the resume point until Claude has answered a resume",
      false,
      ["--resume-session-at=line"],
    ],
    ["resumes the whole conversation after Claude has answered a resume", true, []],
  ])("a fork of a conversation at a resume point %s", async (_name, hasBranched, more) => {
    const session = await startAt("resume", { resumePoint, hasBranched });
    await session.change("fork");
    expect(session.flags).toEqual([...branch(session), ...more]);
  });

  test("a fork of a conversation at a resume point resumes the whole conversation when the fork names its id", async () => {
    const session = await startAt("fork");
    await session.change("fork", { session_id });
    expect(session.flags).toEqual(branch(session));
  });
});

const ids = (n: number) => `77777777-2222-4333-8444-00000000000${n}`;

/** Two messages arrive in a turn; Claude merges them into the next turn, as 2.1.197 does. */
const merged = async () => {
  const session = await working({ resumePoint }, initLine({ session_id }));
  for (const message_id of [ids(1), ids(2)])
    session.message("more", { message_id, delivery: "steer" });
  await session.say(resultLine(), echoLine(ids(1), "more"), initLine({ session_id }));
  await session.say(echoLine(ids(2), "more"));
  return session;
};

test.each([
  ["that was merged into a later one also searches for the later one", ids(1), [ids(1), ids(2)]],
  ["that others were merged into searches for that message", ids(2), [ids(2)]],
  ["of another turn searches for that message", FIRST, [FIRST]],
])("a fork at a message %s", async (_name, message, asked) => {
  const session = await merged();
  await session.say(resultLine());
  await session.change("fork", { at_message: message });
  expect(session.resumePointSearches).toEqual([[ID, ...asked]]);
});

test("a fork at a message that was merged in the turn that the command ends also searches for the later one", async () => {
  const session = await merged();
  await session.change("fork", { at_message: ids(1) });
  expect(session.resumePointSearches).toEqual([[ID, ids(1), ids(2)]]);
});

test.each([
  ["tugtalk", "queue"],
  ["Claude", "steer"],
] as const)(
  "a fork at a message that is queued in %s is refused, and Claude keeps running",
  async (_where, delivery) => {
    const session = await working();
    session.message("more", { message_id: ids(1), delivery });
    const emitted = await session.emittedBy(() => session.command("fork", { at_message: ids(1) }));
    const error = `message ${ids(1)} is still queued: it is not in the conversation`;
    expect(emitted).toMatchObject([{ subtype: "session_command", ok: false, error }]);
    expect(session.claude().isInputClosed()).toBe(false);
  },
);
