/** Lines of Claude in turns and between them: the turn of a line, receipts, and the current conversation (§4, §15). */
import { describe, expect, test } from "bun:test";
import { captured } from "../../../testing/captures/captured-line.ts";
import {
  assistantLine,
  eventLine,
  initLine,
  messageStart,
  resultLine,
  SESSION_ID,
  textBlock,
  textDelta,
  textStart,
  toolBlock,
  wakeResultLine,
} from "../../../testing/drivers/claude-lines.ts";
import {
  emittedBy,
  emittedOf,
  expectGuarantees,
  sayAsHost,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession } from "../../../testing/drivers/test-session.ts";
import { FIRST, say, working } from "../../../testing/drivers/working-session.ts";

const SECOND = "11111111-2222-4333-8444-000000000002";

describe("line between turns", () => {
  test.each(["task updated", "task notification", "background tasks", "conversation_reset"])(
    "the line %s between turns has no turn_id",
    async (name) => {
      const session = await startSession();
      const emitted = await emittedBy(session, () => session.claude().say(captured(name)));
      expect(emitted.length).toBeGreaterThan(0);
      for (const message of emitted) expect(message).not.toHaveProperty("turn_id");
      expect(emittedOf(session, "turn_started")).toEqual([]);
    },
  );

  test("a line between turns of a background subagent has its parent_tool_use_id, and its end starts a turn of its own", async () => {
    const session = await working();
    const task = captured("task started");
    const parent_tool_use_id = task["tool_use_id"];
    await say(
      session,
      assistantLine("m", toolBlock(String(parent_tool_use_id), "Agent")),
      task,
      captured("async launched"),
    );
    await say(session, resultLine());
    const emitted = await emittedBy(session, () =>
      say(session, assistantLine("sub", textBlock("found"), { parent_tool_use_id })),
    );
    expect(emitted).toMatchObject([{ type: "assistant_text", parent_tool_use_id }]);
    expect(emitted[0]).not.toHaveProperty("turn_id");

    await say(
      session,
      captured("task notification"),
      initLine(),
      assistantLine("n", textBlock("Woken.")),
      wakeResultLine(),
    );
    expect(
      emittedOf(session, "turn_started", "turn_complete").map(
        ({ type, trigger }) => `${type} ${trigger}`,
      ),
    ).toEqual([
      "turn_started user",
      "turn_complete user",
      "turn_started task",
      "turn_complete task",
    ]);
    expect(emittedOf(session, "cost_update")[1]).toMatchObject({ turn_cost_usd: 0.00708 });
    expectGuarantees(session);
  });

  test("a line between turns that lists background tasks is emitted in session_state", async () => {
    const session = await startSession();
    const line = captured("background tasks");
    await say(session, line);
    expect(session.emitted.at(-1)).toMatchObject({
      type: "session_state",
      state: "idle",
      background_tasks: line["tasks"],
    });
  });

  test("text of the model between turns opens a turn with trigger unknown", async () => {
    const session = await startSession();
    await say(
      session,
      eventLine(messageStart("m")),
      eventLine(textStart()),
      eventLine(textDelta("a")),
    );
    expect(emittedOf(session, "turn_started")).toMatchObject([
      { trigger: "unknown", message_ids: [] },
    ]);
    expectGuarantees(session);
  });

  test("a result between turns is an error and ends no turn", async () => {
    const session = await startSession();
    await say(session, resultLine());
    expect(emittedOf(session, "turn_complete")).toEqual([]);
    expect(emittedOf(session, "error")).toMatchObject([{ code: "internal", source: "claude" }]);
  });
});

describe("queued message", () => {
  test("a queued message is not sent to Claude before the turn has ended", async () => {
    const session = await working();
    sayAsHost(session, "second", { message_id: SECOND });
    await say(session, assistantLine("m", textBlock("a")));
    expect(session.claude().writes.filter(({ type }) => type === "user")).toHaveLength(1);
    await say(session, resultLine());
    expect(session.claude().writes.at(-1)).toMatchObject({ uuid: SECOND });
  });

  test("a message under a used id is refused without a receipt", async () => {
    const session = await working();
    const emitted = await emittedBy(session, () =>
      sayAsHost(session, "again", { message_id: FIRST, id: "x" }),
    );
    expect(emitted).toMatchObject([
      { type: "error", code: "message_rejected", message_id: FIRST, in_reply_to: "x" },
    ]);
    expectGuarantees(session);
  });

  test("a message under the id of a queued message is refused without a receipt during a shutdown too", async () => {
    const session = await working();
    sayAsHost(session, "second", { message_id: SECOND });
    void session.session.shutdown(true);
    const emitted = await emittedBy(session, () =>
      sayAsHost(session, "again", { message_id: SECOND }),
    );
    expect(emitted).toMatchObject([
      { type: "error", code: "message_rejected", message_id: SECOND },
    ]);
  });

  test("a queued message is rejected when max_queued messages are queued", async () => {
    const session = await working({ init: { options: { max_queued: 1 } } });
    sayAsHost(session, "second", { message_id: SECOND });
    const emitted = await emittedBy(session, () => sayAsHost(session, "third"));
    expect(emitted).toMatchObject([
      { type: "error", code: "queue_full" },
      { type: "message_status", status: "rejected" },
    ]);
  });
});

describe("current conversation", () => {
  test("the current conversation is another one after a clear", async () => {
    const session = await startSession();
    sayAsHost(session, "/clear");
    const before = session.session.sessionId;
    await say(
      session,
      captured("conversation_reset"),
      captured("init after clear"),
      resultLine({ result: "", total_cost_usd: 0 }),
    );
    const { session_id } = captured("init after clear");
    expect(emittedOf(session, "session_init").at(-1)).toMatchObject({
      session_id,
      mode: "clear",
      previous_session_id: before,
    });
    expect(session.session.sessionId).toBe(String(session_id));
    await session.claude().exit();
    sayAsHost(session, "on");
    await session.settle();
    expect(session.starts[1]).toContain(`--resume=${session_id}`);
    expectGuarantees(session);
  });

  test("the current conversation counts its cost from zero after a clear (totals made up)", async () => {
    const session = await startSession();
    const spent = (total_cost_usd: number) => {
      const { model_usage_since_last_result: _account, ...line } = resultLine({ total_cost_usd });
      return line;
    };
    sayAsHost(session, "go");
    await say(session, spent(0.25));
    sayAsHost(session, "/clear");
    await say(session, captured("conversation_reset"), spent(0.5));
    const shares = emittedOf(session, "cost_update").map(({ turn_cost_usd }) => turn_cost_usd);
    expect(shares).toEqual([0.25, 0.5]);
  });

  test("the current conversation does not count its earlier cost after a resume (totals made up)", async () => {
    const session = await startSession({
      init: { session: { mode: "resume", session_id: SESSION_ID } },
    });
    const { model_usage_since_last_result: _account, ...line } = resultLine();
    for (const total_cost_usd of [5, 5.25]) {
      sayAsHost(session, "go");
      await say(session, initLine({ session_id: SESSION_ID }), { ...line, total_cost_usd });
    }
    const shares = emittedOf(session, "cost_update").map(({ turn_cost_usd }) => turn_cost_usd);
    expect(shares).toEqual([undefined, 0.25]);
  });

  test("the current conversation stays the same when each turn has an init line with its id", async () => {
    const session = await startSession();
    for (let turn = 0; turn < 3; turn += 1) {
      sayAsHost(session, "go");
      await say(session, initLine({ session_id: SESSION_ID }), resultLine());
    }
    expect(emittedOf(session, "session_init")).toHaveLength(1);
    expect(emittedOf(session, "system_metadata")).toHaveLength(3);
  });
});
