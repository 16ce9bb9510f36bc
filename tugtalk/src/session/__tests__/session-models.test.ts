/** The model that the next process starts with when the host set none. */
import { describe, expect, test } from "bun:test";
import { initLine, resultLine } from "../../../testing/drivers/claude-lines.ts";
import {
  emittedOf,
  expectGuarantees,
  sayAsHost,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import type { SessionCommand } from "../../types.ts";

const ID = "11111111-2222-4333-8444-555555555555";

describe("model that the host did not set", () => {
  const MODEL = "claude-opus-4-8[1m]";
  const modelOf = (start: readonly string[] | undefined) =>
    start?.find((word) => word.startsWith("--model="));

  /** A session that has completed a turn with this model. */
  async function spoken(model: string): Promise<TestSession> {
    const session = await startSession();
    await says(session, model);
    return session;
  }

  async function says(session: TestSession, model: string): Promise<void> {
    sayAsHost(session, "go on");
    await session.settle();
    const session_id = session.session.sessionId;
    await session.claude().say(initLine({ session_id, model, permissionMode: undefined }));
    await session.claude().say(resultLine({ session_id }));
  }

  async function leaves(session: TestSession, fields: Omit<SessionCommand, "type">): Promise<void> {
    session.session.handleSessionCommand({ type: "session_command", ...fields });
    await session.settle();
    await session.claude().exit();
    await session.settle();
    await session.initialize();
  }

  test("a model that the host did not set keeps the suffix of its name after a crash", async () => {
    const session = await spoken(MODEL);
    await session.claude().exit({ exitCode: null, signal: "SIGKILL" });
    sayAsHost(session, "go on");
    await session.settle();
    expect(session.starts.map(modelOf)).toEqual([undefined, `--model=${MODEL}`]);
    expectGuarantees(session);
  });

  test.each([
    ["is kept in a", "fork", `--model=${MODEL}`],
    ["is not a start flag of a", "new", undefined],
  ] as const)(
    "a model that the host did not set %s %s session",
    async (_name, command, expected) => {
      const session = await spoken(MODEL);
      await leaves(session, { command });
      expect(session.starts.map(modelOf)).toEqual([undefined, expected]);
      expectGuarantees(session);
    },
  );

  test("a model that the host did not set is reported for a resumed conversation, and is not a start flag of another conversation", async () => {
    const session = await spoken("claude-opus-5-5");
    const first = session.session.sessionId ?? "";
    await leaves(session, { command: "resume", session_id: ID });
    await says(session, "claude-haiku");
    expect(emittedOf(session, "model_changed")).toMatchObject([
      { model: "claude-haiku", source: "claude" },
    ]);
    await leaves(session, { command: "resume", session_id: first });
    await says(session, "claude-opus-5-5");
    expect(session.starts.map(modelOf)).toEqual([undefined, undefined, undefined]);
    expect(emittedOf(session, "model_changed").at(-1)).toMatchObject({ model: "claude-opus-5-5" });
    expectGuarantees(session);
  });
});
