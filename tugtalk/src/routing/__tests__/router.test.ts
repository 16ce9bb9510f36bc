/** First tier: the meaning of each kind of line (§3). */
import { expect, test } from "bun:test";
import { textBlock, toolBlock } from "../../../simulator/stream-events.ts";
import { CAPTURED_NAMES, captured, parsedAs } from "../../../testing/captures/captured-line.ts";
import { assistantLine } from "../../../testing/drivers/test-lines.ts";
import { parseClaudeMessage } from "../../claude/claude-line.ts";
import type { OutboundDraft } from "../../types.ts";
import { routeTopLevelEvent } from "../router.ts";

const VERSIONS = ["38", "330"] as const;

/** The messages that one recorded line means. */
function messagesOf(name: string): readonly OutboundDraft[] {
  return routeTopLevelEvent(parseClaudeMessage(captured(name)));
}

test("every recorded line parses as a known kind", () => {
  const types = CAPTURED_NAMES.map((name) => parseClaudeMessage(captured(name)).type);
  expect(types.length).toBeGreaterThan(60);
  expect(types.filter((type) => type === "unknown")).toEqual([]);
});

test.each([...VERSIONS])("init of %s becomes system_metadata with its session_id", (version) => {
  const line = captured(`init ${version}`);
  const { type: _type, subtype: _subtype, uuid: _uuid, ...metadata } = line;
  const [message] = messagesOf(`init ${version}`);
  expect(message).toEqual({ ...metadata, type: "system_metadata" } as OutboundDraft);
  expect(message).toMatchObject({ cwd: "/work/project", permissionMode: "default" });
});

test.each([
  ["38", {}],
  ["330", { post_tokens: 2574, cumulative_dropped_tokens: 0, duration_ms: 61 }],
])("compact_boundary of %s is emitted with all of its metadata", (version, more) => {
  expect(messagesOf(`compact boundary ${version}`)).toEqual([
    { type: "compact_boundary", trigger: "manual", pre_tokens: 2042, ...more },
  ]);
});

test.each([...VERSIONS])("text of %s emits complete assistant_text", (version) => {
  const { uuid } = captured(`assistant text ${version}`);
  expect(messagesOf(`assistant text ${version}`)).toMatchObject([
    {
      type: "assistant_text",
      text: "Hello world",
      is_partial: false,
      status: "complete",
      block_index: 0,
      uuid: String(uuid),
    },
  ]);
});

test("a tool_use block emits tool_use with the input that Claude completed", () => {
  expect(messagesOf("assistant tool_use")).toEqual([
    {
      type: "tool_use",
      msg_id: "msg_01Mock0005",
      block_index: 0,
      tool_use_id: "toolu_01Mock0006",
      tool_name: "Edit",
      input: {
        replace_all: false,
        file_path: "/work/project/e.txt",
        old_string: "two",
        new_string: "TWO\nTWO-B",
      },
      status: "complete",
    },
  ]);
});

test("a thinking block emits thinking_text without its signature", () => {
  const [message] = messagesOf("assistant thinking");
  expect(message).toMatchObject({
    type: "thinking_text",
    text: "Let me think",
    status: "complete",
  });
  expect(JSON.stringify(message)).not.toContain("c2lnbmF0dXJl");
});

test("mixed content emits one message for each block, in order (made up: real lines have one)", () => {
  const line = assistantLine("msg", textBlock("a"));
  const content = [
    { type: "thinking", thinking: "hm" },
    { type: "redacted_thinking", data: "x" },
    textBlock("a"),
    toolBlock("tool1", "Read", { file_path: "f" }),
    { type: "fallback", from: { model: "one" }, to: { model: "other" } },
    { type: "server_tool_use", id: "s" },
    { type: "fallback", from: "one" },
  ];
  const { message } = line as { message: object };
  const messages = routeTopLevelEvent(
    parsedAs("assistant", { ...line, message: { ...message, content } }),
  );
  expect(messages).toMatchObject([
    { type: "thinking_text", block_index: 0, text: "hm" },
    { type: "thinking_text", block_index: 1, text: "", redacted: true },
    { type: "assistant_text", block_index: 2, text: "a" },
    { type: "tool_use", block_index: 3, tool_name: "Read" },
    { type: "model_fallback", original_model: "one", fallback_model: "other", msg_id: "msg" },
    { type: "unknown_event", original_type: "assistant", original_subtype: "server_tool_use" },
  ]);
});

test.each([...VERSIONS])(
  "an API error of %s is recognised by its field, not by its text",
  (version) => {
    const [message] = messagesOf(`assistant api_400 ${version}`);
    expect(message).toMatchObject({ type: "assistant_text", synthetic: true, is_error: true });
    expect(message).toHaveProperty("text", expect.stringMatching(/^API Error: 400/));
    const spoken = assistantLine("msg", textBlock("API Error: 400 is what you would see"));
    const [harmless] = routeTopLevelEvent(parsedAs("assistant", spoken));
    expect(harmless).not.toHaveProperty("is_error");
  },
);

test.each([
  ["stream_event", captured("text delta")],
  ["control_request", captured("can_use_tool 38")],
  ["control_response", captured("echo of an answer 330")],
  ["control_cancel_request", captured("cancel 330")],
  ["keep_alive (made up: never printed)", { type: "keep_alive" }],
])("%s has no message of its own", (_name, line) => {
  expect(routeTopLevelEvent(parseClaudeMessage(line))).toEqual([]);
});

test("an ill-typed field of a hook's end is left out of its start, too (made up)", () => {
  const line = { type: "system", subtype: "hook_started", hook_id: "1", hook_event: "Stop" };
  const parsed = parseClaudeMessage({ ...line, output: ["Opening the browser"] });
  expect(routeTopLevelEvent(parsed)).toEqual([
    { type: "hook_event", phase: "started", hook_id: "1", hook_event: "Stop", output: undefined },
  ]);
});

test.each([
  [
    "a known kind without a required field",
    { type: "result", is_error: false },
    { original_type: "result" },
  ],
  ["an object without a type", { a: 1 }, { original_type: "invalid_line" }],
  ["null", null, { original_type: "invalid_line" }],
])("%s is passed on whole as unknown_event (made up)", (_name, raw, expected) => {
  expect(routeTopLevelEvent(parseClaudeMessage(raw))).toEqual([
    { type: "unknown_event", ...expected, raw },
  ]);
});

/** Claude puts it on these three kinds only; never on `system` and `result`. */
test.each([...VERSIONS])(
  "parent_tool_use_id is kept from a subagent's prompt and calls of %s",
  (version) => {
    for (const name of [`subagent prompt ${version}`, `subagent call ${version}`]) {
      const parent = String(captured(name)["parent_tool_use_id"]);
      const messages = messagesOf(name);
      expect(messages.length).toBeGreaterThan(0);
      for (const message of messages) expect(message.parent_tool_use_id).toBe(parent);
    }
  },
);

test("parent_tool_use_id is absent where Claude sends null", () => {
  expect(messagesOf("assistant text 330")[0]).not.toHaveProperty("parent_tool_use_id");
});

const line = (fields: object, model = "claude-opus-5-5") => ({
  type: "assistant",
  parent_tool_use_id: null,
  session_id: "s",
  message: { id: "m", model, content: [{ type: "text", text: "some text" }] },
  ...fields,
});
const ROWS: readonly (readonly [object, object])[] = [
  [line({ aborted: true }), { type: "assistant_text", aborted: true }],
  [
    line({ error: "rate_limit" }, "<synthetic>"),
    { type: "assistant_text", synthetic: true, is_error: true, error: "rate_limit" },
  ],
  [
    line({ context_usage: { total_tokens: 5 } }, "<synthetic>"),
    { type: "user_text", kind: "command_output", context_usage: { total_tokens: 5 } },
  ],
  [line({ context_usage: "much" }, "<synthetic>"), { type: "user_text", text: "some text" }],
];
test.each(ROWS)(
  "the line %j becomes %j (fields as recorded on 2.1.330, values made up)",
  (raw, emitted) => {
    expect(routeTopLevelEvent(parseClaudeMessage(raw))).toMatchObject([emitted]);
  },
);
