/** Lines of Claude in turns and between them: the turn of a line, receipts, and the current conversation (§4, §15). */
import { expect, test } from "bun:test";
import {
  messageStart,
  textBlock,
  textDelta,
  textStart,
  toolBlock,
} from "../../../simulator/stream-events.ts";
import { captured } from "../../../testing/captures/captured-line.ts";
import {
  assistantLine,
  eventLine,
  initLine,
  resultLine,
  SESSION_ID,
  wakeResultLine,
} from "../../../testing/drivers/test-lines.ts";
import { startSession } from "../../../testing/drivers/test-session.ts";
import { FIRST, SECOND, working } from "../../../testing/drivers/working-session.ts";

test.each(["task updated", "task notification", "background tasks", "conversation_reset"])(
  "the line %s between turns has no turn_id",
  async (name) => {
    const session = await startSession();
    const emitted = await session.emittedBy(captured(name));
    expect(emitted.length).toBeGreaterThan(0);
    for (const message of emitted) expect(message).not.toHaveProperty("turn_id");
    expect(session.of("turn_started")).toEqual([]);
  },
);

test("a line between turns of a background subagent has its parent_tool_use_id, and its end starts a turn of its own", async () => {
  const session = await working();
  const task = captured("task started");
  const parent_tool_use_id = task["tool_use_id"];
  await session.say(
    assistantLine("m", toolBlock(String(parent_tool_use_id), "Agent")),
    task,
    captured("async launched"),
  );
  await session.say(resultLine());
  const emitted = await session.emittedBy(
    assistantLine("sub", textBlock("found"), { parent_tool_use_id }),
  );
  expect(emitted).toMatchObject([{ type: "assistant_text", parent_tool_use_id }]);
  expect(emitted[0]).not.toHaveProperty("turn_id");

  await session.say(
    captured("task notification"),
    initLine(),
    assistantLine("n", textBlock("Woken.")),
    wakeResultLine(),
  );
  expect(
    session.of("turn_started", "turn_complete").map(({ type, trigger }) => `${type} ${trigger}`),
  ).toEqual(["turn_started user", "turn_complete user", "turn_started task", "turn_complete task"]);
  expect(session.of("cost_update")[1]).toMatchObject({ turn_cost_usd: 0.00708 });
});

test("a line between turns that lists background tasks is emitted in session_state", async () => {
  const session = await startSession();
  const line = captured("background tasks");
  await session.say(line);
  expect(session.state).toBe("idle");
  expect(session.last).toMatchObject({ background_tasks: line["tasks"] });
});

test("text of the model between turns opens a turn with trigger unknown", async () => {
  const session = await startSession();
  await session.say(
    eventLine(messageStart("m")),
    eventLine(textStart()),
    eventLine(textDelta("a")),
  );
  expect(session.of("turn_started")).toMatchObject([{ trigger: "unknown", message_ids: [] }]);
});

test("a result between turns is an error and ends no turn", async () => {
  const session = await startSession();
  await session.say(resultLine());
  expect(session.of("turn_complete")).toEqual([]);
  expect(session.of("error")).toMatchObject([{ code: "internal", source: "claude" }]);
});

test("a queued message is not sent to Claude before the turn has ended, and then unchanged", async () => {
  const session = await working();
  session.message("/compact  now ", { message_id: SECOND });
  await session.say(assistantLine("m", textBlock("a")));
  expect(session.sentTexts).toEqual(["first"]);
  await session.say(resultLine());
  expect(session.sentTexts).toEqual(["first", "/compact  now "]);
  expect(session.lastWrite).toMatchObject({ uuid: SECOND });
});

test("a message under a used id is refused without a receipt", async () => {
  const session = await working();
  const emitted = await session.emittedBy(() =>
    session.message("again", { message_id: FIRST, id: "x" }),
  );
  expect(emitted).toMatchObject([
    { type: "error", code: "message_rejected", message_id: FIRST, in_reply_to: "x" },
  ]);
});

test("a message under the id of a queued message is refused without a receipt during a shutdown too", async () => {
  const session = await working();
  session.message("second", { message_id: SECOND });
  void session.session.shutdown(true);
  const emitted = await session.emittedBy(() => session.message("again", { message_id: SECOND }));
  expect(emitted).toMatchObject([{ type: "error", code: "message_rejected", message_id: SECOND }]);
});

test("a queued message is rejected when max_queued messages are queued", async () => {
  const session = await working({ init: { options: { max_queued: 1 } } });
  session.message("second", { message_id: SECOND });
  const emitted = await session.emittedBy(() => session.message("third"));
  expect(emitted).toMatchObject([
    { type: "error", code: "queue_full" },
    { type: "message_status", status: "rejected" },
  ]);
});

test("the current conversation is another one after a clear", async () => {
  const session = await startSession();
  session.message("/clear");
  const before = session.id;
  await session.say(
    captured("conversation_reset"),
    captured("init after clear"),
    resultLine({ result: "", total_cost_usd: 0 }),
  );
  const { session_id } = captured("init after clear");
  const init = { session_id, mode: "clear", previous_session_id: before };
  expect(session.of("session_init").at(-1)).toMatchObject(init);
  expect(session.id).toBe(String(session_id));
  await session.exit();
  await session.restart();
  expect(session.flags).toContain(`--resume=${session_id}`);
});

test("the current conversation counts its cost from zero after a clear (totals made up)", async () => {
  const session = await startSession();
  const spent = (total_cost_usd: number) => {
    const { model_usage_since_last_result: _account, ...line } = resultLine({ total_cost_usd });
    return line;
  };
  session.message("go");
  await session.say(spent(0.25));
  session.message("/clear");
  await session.say(captured("conversation_reset"), spent(0.5));
  const shares = session.of("cost_update").map(({ turn_cost_usd }) => turn_cost_usd);
  expect(shares).toEqual([0.25, 0.5]);
});

test("the current conversation does not count its earlier cost after a resume (totals made up)", async () => {
  const session = await startSession({
    init: { session: { mode: "resume", session_id: SESSION_ID } },
  });
  const { model_usage_since_last_result: _account, ...line } = resultLine();
  for (const total_cost_usd of [5, 5.25]) {
    session.message("go");
    await session.say(initLine({ session_id: SESSION_ID }), { ...line, total_cost_usd });
  }
  const shares = session.of("cost_update").map(({ turn_cost_usd }) => turn_cost_usd);
  expect(shares).toEqual([undefined, 0.25]);
});

test("the current conversation stays the same when each turn has an init line with its id", async () => {
  const session = await startSession();
  for (let turn = 0; turn < 3; turn += 1) {
    session.message("go");
    await session.say(initLine({ session_id: SESSION_ID }), resultLine());
  }
  expect(session.of("session_init")).toHaveLength(1);
  expect(session.of("system_metadata")).toHaveLength(3);
});
