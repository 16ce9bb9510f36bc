/** Lines of Claude without an emitted message: their type is listed, or they are reported as lost. */
import { expect, test } from "bun:test";
import { LineWatch } from "../silent-lines.ts";

/** The counts of lines without an emitted message. */
function silent(...messages: readonly unknown[]) {
  const watch = new LineWatch(() => 0);
  const lines = messages.map((message) =>
    Buffer.from(typeof message === "string" ? message : JSON.stringify(message)),
  );
  for (const _line of watch.watched(lines));
  return { listed: [...watch.silent.listed], unlisted: [...watch.silent.unlisted] };
}

const event = (body: object) => ({ type: "stream_event", event: body });
const delta = (body: object) => event({ type: "content_block_delta", delta: body });

const LISTED: readonly (readonly [line: unknown, kind: string])[] = [
  [{ type: "keep_alive" }, "keep_alive"],
  [{ type: "system", subtype: "status", status: null }, "system/status/null"],
  [event({ type: "message_stop" }), "stream_event/message_stop"],
  [
    event({ type: "content_block_start", content_block: { type: "text" } }),
    "stream_event/content_block_start (no tool call)",
  ],
  [
    delta({ type: "input_json_delta", partial_json: "{" }),
    "stream_event/content_block_delta/input_json_delta (tool_input_deltas off)",
  ],
  [delta({ type: "text_delta", text: "" }), "stream_event/content_block_delta (without text)"],
  [
    delta({ type: "input_json_delta", partial_json: "" }),
    "stream_event/content_block_delta (without text)",
  ],
  [delta({ type: "text_delta", text: "a" }), "stream_event (of no message that is open)"],
  [{ type: "user", isReplay: true }, "user/isReplay"],
  [{ type: "assistant", message: { content: [] } }, "assistant (no block)"],
  [
    { type: "control_response", response: { request_id: "tugtalk-1" } },
    "control_response (to a request of tugtalk's own)",
  ],
  [{ type: "control_response", response: { request_id: "x" } }, "control_response (echo)"],
  [
    { type: "control_request", request: { subtype: "can_use_tool" } },
    "control_request for a person (repeated)",
  ],
];

test.each([...LISTED])("the silent line %j is of a listed type", (line, kind) => {
  expect(silent(line, line)).toEqual({ listed: [[kind, 2]], unlisted: [] });
});

const LOST: readonly (readonly [line: unknown, kind: string])[] = [
  [{ type: "assistant", message: { content: [{ type: "text", text: "a" }] } }, "assistant"],
  [{ type: "user", message: { content: "a" } }, "user"],
  [{ type: "system", subtype: "init" }, "system/init"],
  [
    { type: "control_request", request: { subtype: "hook_callback" } },
    "control_request/hook_callback",
  ],
  [{ type: "news" }, "news"],
  ["no JSON", "undefined"],
];

test.each([...LOST])("the silent line %j is lost", (line, kind) => {
  expect(silent(line)).toEqual({ listed: [], unlisted: [[kind, 1]] });
});

test("a line with an emitted message is not silent", () => {
  let emitted = 0;
  const watch = new LineWatch(() => emitted);
  for (const _line of watch.watched([Buffer.from('{"type":"news"}')])) emitted += 1;
  expect(watch.lines).toBe(1);
  expect([...watch.silent.unlisted]).toEqual([]);
});
