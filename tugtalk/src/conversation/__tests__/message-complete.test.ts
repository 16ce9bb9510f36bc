/** The end of each message of Claude's: why the model stopped, and how full the context is. */
import { expect, test } from "bun:test";
import { textBlock, toolBlock } from "../../../simulator/stream-events.ts";
import { readCapture } from "../../../testing/captures/capture-files.ts";
import { playCapture } from "../../../testing/captures/capture-run.ts";
import { parsedAs } from "../../../testing/captures/captured-line.ts";
import { assistantLine } from "../../../testing/drivers/test-lines.ts";
import type { OutboundDraft } from "../../types.ts";
import { Conversation } from "../conversation.ts";

type MessageComplete = Extract<OutboundDraft, { type: "message_complete" }>;

function endsIn(messages: readonly OutboundDraft[]): readonly MessageComplete[] {
  return messages.filter((message) => message.type === "message_complete");
}

/** Captures with the stop reasons of their messages. */
const REASONS: readonly (readonly [capture: string, reasons: readonly string[]])[] = [
  ["2.1.330/api_max_tokens", ["max_tokens", "end_turn"]],
  ["2.1.330/api_refusal", ["refusal", "end_turn"]],
  // A text of the CLI's own comes before the end of the stream.
  ["2.1.197/api_refusal", ["refusal"]],
  ["2.1.38/api_max_tokens", ["max_tokens", "end_turn"]],
  // The stream breaks, and the answer comes whole.
  ["2.1.38/api_stream_cut", ["end_turn"]],
  ["2.1.197/api_stream_cut", ["end_turn"]],
  ["2.1.330/tool_parallel", ["tool_use", "end_turn"]],
  ["2.1.330/interrupt_streaming", ["end_turn"]],
];

test.each([...REASONS])("the messages of %s stop for %j", async (capture, reasons) => {
  const emitted = await playCapture(await readCapture(capture));
  expect(endsIn(emitted).map(({ stop_reason }) => stop_reason)).toEqual([...reasons]);
});

test("each model call says how full the context is, with the window once a turn has ended", async () => {
  const emitted = await playCapture(await readCapture("2.1.330/multi_turn"));
  const model = "claude-opus-5-5";
  const [first, ...later] = endsIn(emitted).map(({ context }) => context);
  expect(first).toEqual({ model, used_tokens: 2000 });
  expect(later.length).toBeGreaterThan(1);
  for (const context of later)
    expect(context).toEqual({ model, used_tokens: 2000, window_tokens: 1_000_000 });
});

/** Made up: the measured versions print no stop reason of a subagent. */
test.each([
  ["the main conversation", {}],
  ["a subagent", { parent_tool_use_id: "toolu_1" }],
])("a message of %s that comes whole ends once, and by itself", (_agent, parent) => {
  const conversation = new Conversation({
    newId: () => "turn",
    costBaseline: 0,
    options: {},
  });
  const usage = { input_tokens: 3, cache_creation_input_tokens: 40, cache_read_input_tokens: 500 };
  const blocks = [textBlock("No."), toolBlock("t", "Read")];
  const emitted = blocks.flatMap((block) => {
    const message = { id: "m", model: "a-model", content: [block], stop_reason: "refusal", usage };
    return conversation.apply(
      parsedAs("assistant", assistantLine("m", block, { ...parent, message })),
    );
  });
  const isMain = !("parent_tool_use_id" in parent);
  expect(endsIn(emitted)).toEqual([
    {
      type: "message_complete",
      msg_id: "m",
      stop_reason: "refusal",
      ...parent,
      ...(isMain && { context: { model: "a-model", used_tokens: 543 }, turn_id: "turn" }),
    },
  ]);
});
