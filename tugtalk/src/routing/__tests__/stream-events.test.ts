/** Second tier: the meaning of each event of the model's stream (§3e, §14). */
import { expect, test } from "bun:test";
import { blockDelta } from "../../../simulator/stream-events.ts";
import { capturedMessage, parsedAs } from "../../../testing/captures/captured-line.ts";
import { eventLine } from "../../../testing/drivers/test-lines.ts";
import type { StreamEvent } from "../../messages/conversation-lines.ts";
import type { OutboundDraft } from "../../types.ts";
import { mapStreamEvent } from "../stream-events.ts";

const CONTEXT = { msg_id: "msg" };
const partial = { msg_id: "msg", block_index: 0, is_partial: true, status: "partial" } as const;

/** The messages for a recorded event. */
const ROWS: readonly (readonly [name: string, messages: readonly OutboundDraft[]])[] = [
  ["text delta", [{ type: "assistant_text", ...partial, text: "Hel" }]],
  ["thinking delta", [{ type: "thinking_text", ...partial, text: "Let me " }]],
  [
    "tool start",
    [
      {
        type: "tool_use",
        msg_id: "msg",
        block_index: 0,
        tool_use_id: "toolu_01Mock0005",
        tool_name: "Read",
        status: "streaming",
      },
    ],
  ],
  ["signature delta", []],
  ["text start", []],
  ["thinking start", []],
  ["input delta", []],
  ["message_start", []],
  ["content_block_stop", []],
  ["message_delta", []],
  ["message_stop", []],
];

test.each([...ROWS])(
  "mapStreamEvent with %s returns the messages of the event, and no others",
  (name, messages) => {
    const { event } = capturedMessage(name, "stream_event");
    expect(mapStreamEvent(event, CONTEXT)).toEqual(messages);
  },
);

test.each([...ROWS])(
  "mapStreamEvent with %s of a subagent adds its parent_tool_use_id (made up: never seen)",
  (name, messages) => {
    const { event } = capturedMessage(name, "stream_event");
    const context = { ...CONTEXT, parent_tool_use_id: "toolu_1" };
    const expected = messages.map((message) => ({ ...message, parent_tool_use_id: "toolu_1" }));
    expect(mapStreamEvent(event, context)).toEqual(expected as OutboundDraft[]);
  },
);

/** An event of the test's own. */
function event(body: Readonly<Record<string, unknown>>): StreamEvent {
  return parsedAs("stream_event", eventLine(body)).event;
}

test("mapStreamEvent with input_json_delta returns a piece of the tool's input, unchanged", () => {
  const delta = event(blockDelta(3, { type: "input_json_delta", partial_json: '{"file' }));
  expect(mapStreamEvent(delta, { ...CONTEXT, tool_use_id: "toolu_1" })).toEqual([
    { type: "tool_input_delta", tool_use_id: "toolu_1", partial_json: '{"file' },
  ]);
});

test("mapStreamEvent with a piece of input of an unknown tool call returns no message", () => {
  const delta = event(blockDelta(3, { type: "input_json_delta", partial_json: "{" }));
  expect(mapStreamEvent(delta, CONTEXT)).toEqual([]);
});

test.each(["text_delta", "thinking_delta"])(
  "mapStreamEvent with an empty %s returns no message",
  (type) => {
    expect(mapStreamEvent(event(blockDelta(0, { type, text: "", thinking: "" })), CONTEXT)).toEqual(
      [],
    );
  },
);

test("a message of a delta has the index of its block", () => {
  const messages = mapStreamEvent(event(blockDelta(7, { type: "text_delta", text: "x" })), CONTEXT);
  expect(messages).toMatchObject([{ block_index: 7 }]);
});

test("a delta of an unknown kind is passed on, with the subagent that it is from (made up)", () => {
  const delta = { type: "brand_new_delta", x: 1 };
  const context = { ...CONTEXT, parent_tool_use_id: "toolu_1" };
  expect(mapStreamEvent(event(blockDelta(0, delta)), context)).toEqual([
    {
      type: "unknown_event",
      original_type: "stream_event",
      original_subtype: "brand_new_delta",
      raw: delta,
      parent_tool_use_id: "toolu_1",
    },
  ]);
});
