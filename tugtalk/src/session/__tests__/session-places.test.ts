/** Conversations that are resumed at an earlier message, and their resume points until Claude answers. */
import { describe, expect, test } from "bun:test";
import { echoLine, initLine, resultLine } from "../../../testing/drivers/claude-lines.ts";
import {
  emittedBy,
  emittedOf,
  expectGuarantees,
  sayAsHost,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { FIRST, say, working } from "../../../testing/drivers/working-session.ts";

const ID = "11111111-2222-4333-8444-555555555555";
const MESSAGE = "77777777-2222-4333-8444-555555555555";

describe("conversation that is resumed or forked at an earlier message", () => {
  const place = { at: "line", bytes: 10 };
  const session_id = ID;

  test("a conversation that is resumed or forked at an earlier message passes the resume point of a resume to each process until Claude has answered", async () => {
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

  test("a conversation that is resumed or forked at an earlier message passes no resume point of a resume after Claude has answered", async () => {
    const choice = { mode: "resume", session_id, at_message: MESSAGE } as const;
    const session = await startSession({ init: { session: choice }, place, hasBranched: true });
    await session.claude().exit();
    sayAsHost(session, "go on");
    await session.settle();
    expect(session.starts[1]?.slice(6)).toEqual([`--resume=${ID}`]);
  });

  test("a conversation that is resumed or forked at an earlier message passes the resume point of a fork, which has its own id", async () => {
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

  test("a conversation that is resumed or forked at an earlier message is a new conversation when it is forked before its first message", async () => {
    const choice = { mode: "fork", session_id, at_message: MESSAGE } as const;
    const session = await startSession({ init: { session: choice } });
    expect(session.starts[0]?.slice(6)).toEqual([`--session-id=${session.session.sessionId}`]);
    expect(emittedOf(session, "session_init")).toMatchObject([{ mode: "new" }]);
  });

  describe("fork of a conversation at a resume point", () => {
    /** Forks the current conversation and returns the session flags of the new process. */
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

    test("a fork of a conversation at a resume point has the resume point while the first fork has no message", async () => {
      const choice = { mode: "fork", session_id, at_message: MESSAGE } as const;
      const session = await startSession({ init: { session: choice }, place });
      expect(await forked(session)).toEqual([...branch(session), "--resume-session-at=line"]);
    });

    test("a fork of a conversation at a resume point resumes the whole first fork when the first fork has a message", async () => {
      const choice = { mode: "fork", session_id, at_message: MESSAGE } as const;
      const session = await startSession({ init: { session: choice }, place });
      const { sessionId } = session.session;
      sayAsHost(session, "go on");
      await session.claude().say(initLine({ session_id: sessionId }));
      expect(await forked(session)).toEqual(branch(session, sessionId));
    });

    test.each([
      [
        "has the resume point until Claude has answered a resume",
        false,
        ["--resume-session-at=line"],
      ],
      ["resumes the whole conversation after Claude has answered a resume", true, []],
    ])("a fork of a conversation at a resume point %s", async (_name, hasBranched, more) => {
      const choice = { mode: "resume", session_id, at_message: MESSAGE } as const;
      const session = await startSession({ init: { session: choice }, place, hasBranched });
      expect(await forked(session)).toEqual([...branch(session), ...more]);
    });

    test("a fork of a conversation at a resume point resumes the whole conversation when the fork names its id", async () => {
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

describe("fork at a message", () => {
  const ids = (n: number) => `77777777-2222-4333-8444-00000000000${n}`;
  const forkAt = async (session: TestSession, at_message: string) => {
    session.session.handleSessionCommand({ type: "session_command", command: "fork", at_message });
    await session.settle();
    await session.claude().exit();
    await session.settle();
  };
  /** Two messages arrive in a turn; Claude merges them into the next turn, as 2.1.197 does. */
  const merge = async (session: TestSession) => {
    for (const message_id of [ids(1), ids(2)])
      sayAsHost(session, "more", { message_id, delivery: "steer" });
    await say(session, resultLine(), echoLine(ids(1), "more"), initLine({ session_id: ID }));
    await say(session, echoLine(ids(2), "more"));
  };

  test.each([
    ["that was merged into a later one also searches for the later one", ids(1), [ids(1), ids(2)]],
    ["that others were merged into searches for that message", ids(2), [ids(2)]],
    ["of another turn searches for that message", FIRST, [FIRST]],
  ])("a fork at a message %s", async (_name, message, asked) => {
    const session = await working(
      { place: { at: "line", bytes: 10 } },
      initLine({ session_id: ID }),
    );
    await merge(session);
    await say(session, resultLine());
    await forkAt(session, message);
    expect(session.placesAsked).toEqual([[ID, ...asked]]);
    expectGuarantees(session);
  });

  test("a fork at a message that was merged in the turn that the command ends also searches for the later one", async () => {
    const session = await working(
      { place: { at: "line", bytes: 10 } },
      initLine({ session_id: ID }),
    );
    await merge(session);
    await forkAt(session, ids(1));
    expect(session.placesAsked).toEqual([[ID, ids(1), ids(2)]]);
    expectGuarantees(session);
  });

  test.each([
    ["tugtalk", "queue"],
    ["Claude", "steer"],
  ] as const)(
    "a fork at a message that is queued in %s is refused, and Claude keeps running",
    async (_where, delivery) => {
      const session = await working();
      sayAsHost(session, "more", { message_id: ids(1), delivery });
      const emitted = await emittedBy(session, () =>
        session.session.handleSessionCommand({
          type: "session_command",
          command: "fork",
          at_message: ids(1),
        }),
      );
      expect(emitted).toMatchObject([
        {
          type: "control_result",
          subtype: "session_command",
          ok: false,
          error: `message ${ids(1)} is still queued: it is not in the conversation`,
        },
      ]);
      expect(session.claude().isInputClosed()).toBe(false);
      expectGuarantees(session);
    },
  );
});
