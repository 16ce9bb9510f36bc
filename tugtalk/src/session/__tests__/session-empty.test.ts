/** A Claude that dies before it has written a transcript (§7). */
import { expect, test } from "bun:test";
import { initLine, resultLine } from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";

const SECOND = "11111111-2222-4333-8444-000000000002";
const CLEARED = "11111111-2222-4333-8444-00000000000c";

/** A turn of the conversation with this id. */
async function turn(session: TestSession, text: string, session_id: string): Promise<void> {
  session.message(text);
  await session.say(initLine({ session_id }), resultLine({ session_id }));
}

/** Claude dies, is started for the next message, and finds no conversation. */
async function dieAndResume(session: TestSession): Promise<void> {
  await session.crash();
  session.message("second", { message_id: SECOND });
  await session.settle();
  expect(session.starts.at(-1)).toContain(`--resume=${session.id}`);
  const stderrTail = `No conversation found with session ID: ${session.id}`;
  await session.exit({ exitCode: 1, stderrTail });
}

test("a lost conversation that /clear has just started is replaced by a new one, and the next message gets its turn", async () => {
  const session = await startSession();
  await turn(session, "first", session.id);
  await turn(session, "/clear", CLEARED);
  const before = session.id;
  await dieAndResume(session);
  const id = session.id;
  expect(id).not.toBe(before);
  expect(session.of("process_exit").at(-1)).toMatchObject({ will_restart: true });
  expect(session.starts.at(-1)).toContain(`--session-id=${id}`);
  await session.initialize();
  expect(session.of("session_init").at(-1)).toMatchObject({ session_id: id, mode: "new" });
  expect(session.lastWrite).toMatchObject({ type: "user", uuid: SECOND });
  expect(session.of("error")).toEqual([]);
});

test.each([
  ["in its first turn", ["first"]],
  ["in a turn after /clear", ["/clear", "first"]],
])(
  "a lost conversation that had a message %s is reported and not replaced",
  async (_when, texts) => {
    const session = await startSession();
    const id = texts.includes("/clear") ? CLEARED : session.id;
    for (const text of texts) await turn(session, text, id);
    await dieAndResume(session);
    expect(session.of("error")).toMatchObject([
      { code: "resume_failed", reason: "no_such_session" },
    ]);
    expect(session.starts).toHaveLength(2);
  },
);
