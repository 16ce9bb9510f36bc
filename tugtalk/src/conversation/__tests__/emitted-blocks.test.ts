/** Blocks that Claude takes back. No recording has one: the lines are made from the declared shapes. */
import { expect, test } from "bun:test";
import { messageStart, textDelta } from "../../../simulator/stream-events.ts";
import { fixtureOf, type Line } from "../../../testing/captures/kind-fixtures.ts";
import { eventLine, initLine, resultLine } from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import type { OutboundDraft } from "../../types.ts";
import { EmittedBlocks } from "../emitted-blocks.ts";

const ONE = "00000000-0000-4000-8000-00000000000c";
const TWO = "00000000-0000-4000-8000-00000000000d";

function text(block_index: number): OutboundDraft {
  const key = { msg_id: "m", block_index, parent_tool_use_id: "toolu_1" };
  return { type: "assistant_text", ...key, text: "x", is_partial: false, status: "complete" };
}

test("only blocks that were emitted whole are retracted", () => {
  const blocks = new EmittedBlocks();
  const key = { msg_id: "m", block_index: 0 };
  const partial = { ...text(0), status: "partial", is_partial: true } as OutboundDraft;
  const call: OutboundDraft = {
    type: "tool_use",
    ...key,
    tool_use_id: "t",
    tool_name: "Bash",
    status: "abandoned",
  };
  blocks.remember(ONE, [partial, call, { type: "user_text", text: "x", kind: "synthetic" }]);
  expect(blocks.retract([ONE], "superseded")).toEqual([]);
});

test("the blocks of the oldest line are dropped when there are too many lines", () => {
  const blocks = new EmittedBlocks();
  for (let count = 0; count < 2000; count += 1) blocks.remember(`u${count}`, [text(count)]);
  expect(blocks.retract(["u0"], "superseded")).toEqual([]);
  expect(blocks.retract(["u1999"], "superseded")).toHaveLength(1);
});

async function afterAnswer(fields: Line = {}): Promise<TestSession> {
  const session = await startSession();
  session.session.handleUserMessage({ type: "user_message", text: "go" });
  await session.say(initLine(), { ...fixtureOf("assistant/text"), uuid: ONE, ...fields });
  return session;
}

const supersedingLine = (uuids: readonly string[]): Line => ({
  ...fixtureOf("assistant/supersedes"),
  uuid: TWO,
  supersedes: uuids,
});

const refusalLine = (uuids: readonly string[]): Line => ({
  ...fixtureOf("system/model_refusal_fallback"),
  retracted_message_uuids: uuids,
});

const { id: ANSWER_ID } = fixtureOf("assistant/text")["message"] as { readonly id: string };
const RETRACTED = { type: "message_retracted", msg_id: ANSWER_ID, block_index: 0 };

test("an answer that supersedes another one retracts it first", async () => {
  const session = await afterAnswer();
  const emitted = await session.emittedBy(supersedingLine([ONE]));
  expect(emitted).toMatchObject([
    { ...RETRACTED, reason: "superseded", turn_id: session.turnId },
    { type: "assistant_text", text: "Better" },
  ]);
});

test("a refusal that another model answers retracts the refused blocks once, then is emitted", async () => {
  const session = await afterAnswer();
  const fallback = { type: "model_refusal_fallback", fallback_model: "claude-two" };
  const emitted = await session.emittedBy(refusalLine([ONE, ONE]));
  expect(emitted).toMatchObject([{ ...RETRACTED, reason: "refusal" }, fallback]);
  expect(await session.emittedBy(refusalLine([ONE]))).toMatchObject([fallback]);
});

test("the retraction of a subagent's block has the subagent's parent_tool_use_id", async () => {
  const session = await afterAnswer({ parent_tool_use_id: "toolu_sub" });
  const [emitted] = await session.emittedBy(refusalLine([ONE]));
  expect(emitted).toMatchObject({ ...RETRACTED, parent_tool_use_id: "toolu_sub" });
});

test("the retraction of a block of an earlier turn has no turn_id", async () => {
  const session = await afterAnswer();
  await session.say(resultLine());
  const [emitted] = await session.emittedBy(refusalLine([ONE]));
  expect(emitted).toMatchObject(RETRACTED);
  expect(emitted).not.toHaveProperty("turn_id");
});

test("lines without emitted blocks, and malformed lists of lines, retract nothing", async () => {
  const session = await afterAnswer();
  await session.say(eventLine(messageStart("m")), eventLine(textDelta("half")));
  const odd: readonly unknown[] = [[TWO], [], null, "no list"];
  for (const retracted_message_uuids of odd) {
    const line = { ...fixtureOf("system/model_refusal_fallback"), retracted_message_uuids };
    const emitted = await session.emittedBy(line);
    expect(emitted.map(({ type }) => type)).toEqual(["model_refusal_fallback"]);
  }
});

test("a text that comes again after its retraction is a new block", async () => {
  const session = await afterAnswer();
  await session.say(refusalLine([ONE]));
  const line = { ...fixtureOf("assistant/text"), uuid: TWO };
  const [emitted] = await session.emittedBy(line);
  expect(emitted).toMatchObject({ type: "assistant_text", msg_id: ANSWER_ID, block_index: 1 });
});
