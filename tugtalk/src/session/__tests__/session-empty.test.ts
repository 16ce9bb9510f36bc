/** A Claude that dies before it has written a transcript (§7). */
import { expect, test } from "bun:test";
import { initLine, resultLine } from "../../../testing/drivers/claude-lines.ts";
import {
  emittedOf,
  expectGuarantees,
  sayAsHost,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";

const SECOND = "11111111-2222-4333-8444-000000000002";
const CLEARED = "11111111-2222-4333-8444-00000000000c";

/** A turn of the conversation with this id. */
async function turn(session: TestSession, text: string, session_id: string): Promise<void> {
  sayAsHost(session, text);
  await session.claude().say(initLine({ session_id }));
  await session.claude().say(resultLine({ session_id }));
}

/** Claude dies, is started for the next message, and finds no conversation. */
async function dieAndResume(session: TestSession): Promise<void> {
  await session.claude().exit({ exitCode: null, signal: "SIGKILL" });
  sayAsHost(session, "second", { message_id: SECOND });
  await session.settle();
  expect(session.starts.at(-1)).toContain(`--resume=${session.session.sessionId}`);
  const stderrTail = `No conversation found with session ID: ${session.session.sessionId}`;
  await session.claude().exit({ exitCode: 1, stderrTail });
  await session.settle();
}

test("a lost conversation that /clear has just started is replaced by a new one, and the next message gets its turn", async () => {
  const session = await startSession();
  await turn(session, "first", session.session.sessionId ?? "");
  await turn(session, "/clear", CLEARED);
  const before = session.session.sessionId;
  await dieAndResume(session);
  const id = session.session.sessionId;
  expect(id).not.toBe(before);
  expect(emittedOf(session, "process_exit").at(-1)).toMatchObject({ will_restart: true });
  expect(session.starts.at(-1)).toContain(`--session-id=${id}`);
  await session.initialize();
  expect(emittedOf(session, "session_init").at(-1)).toMatchObject({
    session_id: id,
    mode: "new",
  });
  expect(session.claude().writes.at(-1)).toMatchObject({ type: "user", uuid: SECOND });
  expect(emittedOf(session, "error")).toEqual([]);
  expectGuarantees(session);
});

test.each([
  ["in its first turn", ["first"]],
  ["in a turn after /clear", ["/clear", "first"]],
])(
  "a lost conversation that had a message %s is reported and not replaced",
  async (_when, texts) => {
    const session = await startSession();
    const id = texts.includes("/clear") ? CLEARED : (session.session.sessionId ?? "");
    for (const text of texts) await turn(session, text, id);
    await dieAndResume(session);
    expect(emittedOf(session, "error")).toMatchObject([
      { code: "resume_failed", reason: "no_such_session" },
    ]);
    expect(session.starts).toHaveLength(2);
  },
);
