/** Single lines of Claude as the session emits them: tool calls, and lines that cannot be parsed (§3, §9). */
import { expect, test } from "bun:test";
import { messageStart, textBlock, textDelta, toolBlock } from "../../../simulator/stream-events.ts";
import { captured } from "../../../testing/captures/captured-line.ts";
import {
  assistantLine,
  eventLine,
  initLine,
  promptLine,
  resultLine,
  toolResultLine,
} from "../../../testing/drivers/test-lines.ts";
import { openSession, startSession } from "../../../testing/drivers/test-session.ts";
import { FIRST, working } from "../../../testing/drivers/working-session.ts";

type Line = Readonly<Record<string, unknown>>;

const call = [
  eventLine(messageStart("m")),
  eventLine({ type: "content_block_start", index: 0, content_block: toolBlock("t", "Bash") }),
  eventLine({
    type: "content_block_delta",
    index: 0,
    delta: { type: "input_json_delta", partial_json: "{}" },
  }),
];

test("a tool call in a turn has its name in its result too", async () => {
  const session = await working();
  await session.say(...call, toolResultLine("t", "ok", { tool_use_result: { stdout: "ok" } }));
  expect(session.of("tool_result", "tool_use_structured")).toMatchObject([
    { type: "tool_result", tool_name: "Bash", output: "ok" },
    { type: "tool_use_structured", tool_name: "Bash", structured_result: { stdout: "ok" } },
  ]);
});

test("a tool call in a turn of an MCP server is named mcp__server__tool in its call and in its result", async () => {
  const session = await working();
  const line = captured("mcp image result");
  const { message } = line as { message: { content: { tool_use_id: string }[] } };
  const id = message.content[0]?.tool_use_id ?? "?";
  const name = "mcp__memory__create_entities";
  await session.say(assistantLine("m", toolBlock(id, name)), line);
  expect(session.of("tool_use", "tool_result")).toMatchObject([
    { type: "tool_use", tool_name: name, status: "complete" },
    { type: "tool_result", tool_name: name, tool_use_id: id },
  ]);
});

test("a tool call in a turn emits its result without a prompt when a hook has allowed it", async () => {
  const session = await working();
  await session.say(...call, toolResultLine("t", "ok"));
  expect(session.of("tool_result")).toMatchObject([{ output: "ok", is_error: false }]);
  // A Stop hook makes Claude continue: the turn is open until its result.
  await session.say(assistantLine("n", textBlock("and on")), resultLine());
  expect(session.of("assistant_text")).toMatchObject([{ text: "and on" }]);
  expect(session.of("control_request_forward", "error")).toEqual([]);
  expect(session.of("turn_complete")).toHaveLength(1);
});

test("a tool call in a turn has no name in its result when its start was not seen", async () => {
  const session = await working();
  await session.say(toolResultLine("other", "ok"));
  expect(session.of("tool_result")[0]).not.toHaveProperty("tool_name");
});

test.each([
  [true, 1],
  [undefined, 0],
])(
  "a tool call in a turn emits tool_input_delta only when the host has enabled it (%p)",
  async (tool_input_deltas, count) => {
    const session = await working({ init: { options: { tool_input_deltas } } });
    await session.say(...call);
    expect(session.of("tool_input_delta")).toHaveLength(count);
  },
);

test("a tool call in a turn emits a heartbeat as its tool_progress and not as a subagent's (made up by §3f)", async () => {
  const session = await working();
  const line = {
    type: "tool_progress",
    tool_use_id: "t-heartbeat-0",
    tool_name: "Bash",
    parent_tool_use_id: "t",
    elapsed_time_seconds: 30,
    heartbeat: true,
  };
  const [emitted] = await session.emittedBy(line);
  expect(emitted).toMatchObject({
    type: "tool_progress",
    tool_use_id: "t",
    elapsed_time_seconds: 30,
  });
  expect(emitted).not.toHaveProperty("parent_tool_use_id");
  expect(emitted).toHaveProperty("turn_id");
});

const ROWS: readonly (readonly [name: string, bytes: string, emitted: Line])[] = [
  ["not JSON", "npm warn something\n", { type: "unknown_event", original_type: "invalid_line" }],
  [
    "half a line of JSON",
    '{"type":"result"\n',
    { type: "unknown_event", original_type: "invalid_line" },
  ],
  ["null", "null\n", { type: "unknown_event", original_type: "invalid_line" }],
  [
    "of an unknown type",
    '{"type":"brand_new"}\n',
    { type: "unknown_event", original_type: "brand_new" },
  ],
  [
    "of a known type with invalid fields",
    '{"type":"assistant","message":7}\n',
    { type: "unknown_event", original_type: "assistant" },
  ],
  [
    "of a subtype that is not a string",
    '{"type":"system","subtype":{"toString":null}}\n',
    { type: "unknown_event", original_type: "system" },
  ],
  [
    "of a type that is a property of every object",
    '{"type":"constructor"}\n',
    { type: "unknown_event", original_type: "constructor" },
  ],
];
test.each([...ROWS])(
  "an invalid line of Claude that is %s is emitted as unknown_event, and the next line is handled",
  async (_name, bytes, expected) => {
    const session = await working();
    const emitted = await session.emittedBy(() => session.claude().print(Buffer.from(bytes)));
    expect(emitted).toMatchObject([expected]);
    await session.say(resultLine());
    expect(session.of("turn_complete")).toHaveLength(1);
  },
);

test("an invalid line of Claude is followed by the next line when an emit throws", async () => {
  let faults = 0;
  const session = await startSession({ onFault: () => void faults++ });
  session.message("first", { message_id: FIRST });
  session.failNextEmit();
  await session.say(captured("interrupt marker"));
  expect(faults).toBe(1);
  expect(session.of("error")).toMatchObject([
    { code: "internal", source: "claude", recoverable: true },
  ]);
  await session.say(resultLine());
  expect(session.of("turn_complete")).toHaveLength(1);
});

test("a fault after a result line is reported, and the session still shuts down", async () => {
  const faults: string[] = [];
  const session = await openSession({ onFault: (words) => void faults.push(words) });
  for (const text of ["first", "second"]) session.message(text);
  await session.say(initLine());
  session.failNextEmit("turn_started");
  await session.say(resultLine());
  expect(faults).toHaveLength(1);
  expect(session.of("error")).toMatchObject([
    { code: "internal", source: "claude", recoverable: true },
  ]);
  const over = session.session.shutdown(false);
  await session.settle();
  await session.exit();
  await over;
  expect(session.of("process_exit")).toMatchObject([{ expected: true }]);
});

test("a stream event with a block index that is too large is emitted as unknown_event", async () => {
  const session = await working();
  const line = eventLine(textDelta("a", 1e300));
  const emitted = await session.emittedBy(() => session.say(eventLine(messageStart("m")), line));
  expect(emitted).toMatchObject([{ type: "unknown_event", raw: line }]);
});

const deep = (line: object) =>
  Buffer.from(
    `${JSON.stringify(line).slice(0, -1)},"deep":${"[".repeat(5000)}${"]".repeat(5000)}}\n`,
  );
const emit = async (line: object) => {
  const session = await working();
  const emitted = await session.emittedBy(() => session.claude().print(deep(line)));
  return { session, emitted };
};

test("a line that is nested too deep to be serialized is emitted as text", async () => {
  const { emitted } = await emit(toolResultLine("t", "ok"));
  expect(emitted).toMatchObject([{ type: "unknown_event", original_type: "user" }]);
  expect(emitted[0]?.["raw"]).toContain('"tool_use_id":"t"');
});

test("a line that is nested too deep to be serialized ends its turn when it is a result", async () => {
  const { emitted } = await emit(resultLine());
  expect(emitted).toMatchObject([
    { type: "unknown_event", original_type: "result" },
    { type: "turn_cancelled", reason: "line_lost" },
    { type: "message_status", status: "completed" },
    { type: "session_state", state: "idle" },
  ]);
});

test("a line that is nested too deep to be serialized is refused when it is a request", async () => {
  const { session, emitted } = await emit(promptLine("p"));
  expect(emitted).toMatchObject([{ type: "unknown_event", original_type: "control_request" }]);
  expect(session.lastWrite).toMatchObject({ response: { subtype: "error", request_id: "p" } });
});
