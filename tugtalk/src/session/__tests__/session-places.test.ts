/** Conversations that are taken up at an earlier message, and where they stand until something is said. */
import { describe, expect, test } from "bun:test";
import { initLine } from "../../../testing/drivers/claude-lines.ts";
import {
  emittedOf,
  expectGuarantees,
  sayAsHost,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";

const ID = "11111111-2222-4333-8444-555555555555";
const MESSAGE = "77777777-2222-4333-8444-555555555555";

describe("a conversation that is taken up at an earlier message", () => {
  const place = { at: "line", bytes: 10 };
  const session_id = ID;

  test("by resume names the place until Claude has answered from there", async () => {
    const choice = { mode: "resume", session_id, at_message: MESSAGE } as const;
    const session = await startSession({ init: { session: choice }, place });
    expect(session.starts[0]?.slice(6)).toEqual([`--resume=${ID}`, "--resume-session-at=line"]);
    expect(emittedOf(session, "session_init")).toMatchObject([{ session_id, mode: "resume" }]);
    sayAsHost(session, "again");
    await session.claude().say(initLine({ session_id }));
    await session.claude().exit({ exitCode: null, signal: "SIGKILL" });
    sayAsHost(session, "once more");
    await session.settle();
    expect(session.starts[1]).toContain("--resume-session-at=line");
    expectGuarantees(session);
  });

  test("by resume names it no more once Claude has answered", async () => {
    const choice = { mode: "resume", session_id, at_message: MESSAGE } as const;
    const session = await startSession({ init: { session: choice }, place, hasBranched: true });
    await session.claude().exit();
    sayAsHost(session, "go on");
    await session.settle();
    expect(session.starts[1]?.slice(6)).toEqual([`--resume=${ID}`]);
  });

  test("by fork begins a conversation of its own there", async () => {
    const session = await startSession({ place });
    sayAsHost(session, "begin");
    await session.claude().say(initLine({ session_id }));
    session.session.handleSessionCommand({
      type: "session_command",
      command: "fork",
      at_message: MESSAGE,
    });
    await session.settle();
    await session.claude().exit();
    await session.settle();
    const own = session.session.sessionId;
    expect(own).not.toBe(ID);
    expect(session.starts[1]?.slice(6)).toEqual([
      `--resume=${ID}`,
      "--fork-session",
      `--session-id=${own}`,
      "--resume-session-at=line",
    ]);
    await session.initialize();
    expect(emittedOf(session, "session_init").at(-1)).toMatchObject({
      session_id: own,
      mode: "fork",
      previous_session_id: ID,
    });
    expectGuarantees(session);
  });

  test("by fork before its first message is a new conversation", async () => {
    const choice = { mode: "fork", session_id, at_message: MESSAGE } as const;
    const session = await startSession({ init: { session: choice } });
    expect(session.starts[0]?.slice(6)).toEqual([`--session-id=${session.session.sessionId}`]);
    expect(emittedOf(session, "session_init")).toMatchObject([{ mode: "new" }]);
  });

  describe("and then forked", () => {
    /** Leaves the conversation in hand for a branch of it; gives the flags that name a conversation. */
    const forked = async (session: TestSession) => {
      session.session.handleSessionFork();
      await session.settle();
      await session.claude().exit();
      await session.settle();
      return session.starts.at(-1)?.slice(6);
    };
    const branch = (session: TestSession, source = ID) => [
      `--resume=${source}`,
      "--fork-session",
      `--session-id=${session.session.sessionId}`,
    ];

    test("ends at the place as long as nothing was said in a first fork", async () => {
      const choice = { mode: "fork", session_id, at_message: MESSAGE } as const;
      const session = await startSession({ init: { session: choice }, place });
      expect(await forked(session)).toEqual([...branch(session), "--resume-session-at=line"]);
    });

    test("is the whole first fork, once something was said in it", async () => {
      const choice = { mode: "fork", session_id, at_message: MESSAGE } as const;
      const session = await startSession({ init: { session: choice }, place });
      const { sessionId } = session.session;
      sayAsHost(session, "go on");
      await session.claude().say(initLine({ session_id: sessionId }));
      expect(await forked(session)).toEqual(branch(session, sessionId));
    });

    test.each([
      ["ends at the place until Claude has answered a resume", false, ["--resume-session-at=line"]],
      ["is the whole conversation once Claude has answered a resume", true, []],
    ])("%s", async (_name, hasBranched, more) => {
      const choice = { mode: "resume", session_id, at_message: MESSAGE } as const;
      const session = await startSession({ init: { session: choice }, place, hasBranched });
      expect(await forked(session)).toEqual([...branch(session), ...more]);
    });

    test("is the whole conversation where the fork names it", async () => {
      const choice = { mode: "fork", session_id, at_message: MESSAGE } as const;
      const session = await startSession({ init: { session: choice }, place });
      session.session.handleSessionCommand({
        type: "session_command",
        command: "fork",
        session_id,
      });
      await session.settle();
      await session.claude().exit();
      await session.settle();
      expect(session.starts.at(-1)?.slice(6)).toEqual(branch(session));
    });
  });
});
