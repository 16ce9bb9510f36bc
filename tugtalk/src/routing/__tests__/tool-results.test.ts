/** The `user` lines of Claude: tool results and their structured twins, commands, echoes. */
import { expect, test } from "bun:test";
import { EditToolResult, WriteToolResult } from "../../../schema/tool-results.ts";
import { captured } from "../../../testing/captures/captured-line.ts";
import { toolResultLine } from "../../../testing/drivers/test-lines.ts";
import { parseClaudeMessage } from "../../claude/claude-line.ts";
import type { OutboundDraft } from "../../types.ts";
import { routeTopLevelEvent } from "../router.ts";

type Line = Readonly<Record<string, unknown>>;

function meaningOf(line: Line): readonly OutboundDraft[] {
  return routeTopLevelEvent(parseClaudeMessage(line));
}

/** A user line whose content is the test's. */
function userLine(content: unknown, fields: Line = {}): Line {
  return { type: "user", message: { role: "user", content }, parent_tool_use_id: null, ...fields };
}

test("each tool_result block emits a tool_result (made up: real lines have one)", () => {
  const content = ["one", "two"].map((id) => ({
    type: "tool_result",
    tool_use_id: id,
    content: `out ${id}`,
  }));
  expect(meaningOf(userLine(content))).toEqual([
    { type: "tool_result", tool_use_id: "one", output: "out one", is_error: false },
    { type: "tool_result", tool_use_id: "two", output: "out two", is_error: false },
  ]);
});

test("an error in tags has is_error and an output without the tags", () => {
  expect(meaningOf(captured("tool error with tags"))).toEqual([
    {
      type: "tool_result",
      tool_use_id: "toolu_01Mock0061",
      output: "File does not exist.",
      is_error: true,
    },
    {
      type: "tool_use_structured",
      tool_use_id: "toolu_01Mock0061",
      structured_result: "Error: File does not exist.",
    },
  ]);
});

test("an error without tags has is_error", () => {
  expect(meaningOf(captured("tool error without tags"))[0]).toMatchObject({
    output: "Exit code 3\nout\nerr",
    is_error: true,
  });
});

test("tags around a part of the text, or without is_error, are part of the output", () => {
  const element = "<tool_use_error>x</tool_use_error>";
  for (const quoted of [`see ${element} there`, element])
    expect(meaningOf(toolResultLine("t", quoted))[0]).toMatchObject({
      output: quoted,
      is_error: false,
    });
});

const TEXTS: readonly (readonly [name: string, content: unknown, output: string])[] = [
  ["nothing", undefined, ""],
  ["null", null, ""],
  ["no blocks", [], ""],
  [
    "two texts",
    [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ],
    "ab",
  ],
];
test.each([...TEXTS])("content that is %s becomes its text only", (_name, content, output) => {
  expect(meaningOf(toolResultLine("t", content))).toEqual([
    { type: "tool_result", tool_use_id: "t", output, is_error: false },
  ]);
});

test("content that is more than text is passed on beside its text", () => {
  const line = captured("mcp image result");
  const { message } = line as { message: { content: { content: unknown[] }[] } };
  const [result] = meaningOf(line);
  expect(result).toMatchObject({
    output: expect.stringMatching(/^\[Image: source/),
    content: message.content[0]?.content,
  });
});

test("tool_use_structured has the result of the envelope, not of the block", () => {
  const block = { type: "tool_result", tool_use_id: "t", content: "x", tool_use_result: { a: 1 } };
  expect(meaningOf(userLine([block])).map(({ type }) => type)).toEqual(["tool_result"]);
  expect(meaningOf(userLine([block], { tool_use_result: { b: 2 } }))[1]).toEqual({
    type: "tool_use_structured",
    tool_use_id: "t",
    structured_result: { b: 2 },
  });
});

test("tool_use_structured of Edit has the whole structuredPatch", () => {
  const line = captured("edit result");
  const [, twin] = meaningOf(line);
  expect(twin).toEqual({
    type: "tool_use_structured",
    tool_use_id: "toolu_01Mock0006",
    structured_result: line["tool_use_result"],
  });
  const { structuredPatch } = EditToolResult.parse(line["tool_use_result"]);
  expect(structuredPatch[0]?.lines).toContain("-two");
});

test.each(["create", "update"] as const)("tool_use_structured of Write has type %s", (type) => {
  const [, twin] = meaningOf(captured(`write result ${type}`));
  expect(twin).toMatchObject({ type: "tool_use_structured", structured_result: { type } });
  const { structured_result } = twin as { structured_result: unknown };
  expect(WriteToolResult.parse(structured_result).type).toBe(type);
});

test.each([[null], [false], [0], [""], [[]]])(
  "a structured result that is %j is emitted",
  (value) => {
    const [, twin] = meaningOf(toolResultLine("t", "x", { tool_use_result: value }));
    expect(twin).toHaveProperty("structured_result", value);
  },
);

test("the output of a local command of 38 is command_output without its tags", () => {
  const [message, ...more] = meaningOf(captured("command output 38"));
  expect(more).toEqual([]);
  expect(message).toMatchObject({ type: "user_text", kind: "command_output" });
  const { text } = message as { text: string };
  expect(text).toStartWith("Total cost:");
  expect(text).not.toContain("local-command");
});

test("the output of a failed local command of 38 is command_output with is_error", () => {
  expect(meaningOf(captured("command error 38"))).toEqual([
    {
      type: "user_text",
      text: "Error: No messages to compact",
      kind: "command_output",
      is_error: true,
    },
  ]);
});

test("the output of a local command of 330, printed as assistant, is command_output", () => {
  const [message, ...more] = meaningOf(captured("command output 330"));
  expect(more).toEqual([]);
  expect(message).toMatchObject({ type: "user_text", kind: "command_output" });
  expect(message).not.toHaveProperty("is_error");
  expect(message).toHaveProperty("text", expect.stringMatching(/^Estimated cost:/));
});

test("a failed local command of 330 is recognised by its source (made up by §6)", () => {
  const local_command_source = "<local-command-stderr>Error: no</local-command-stderr>";
  const line = captured("command output 330", { local_command_source });
  expect(meaningOf(line)[0]).toMatchObject({ kind: "command_output", is_error: true });
});

const OUTPUT = "<local-command-stdout>Set effort level to low</local-command-stdout>";
const blocks = (text: string) => [{ type: "text", text }];
const ECHO = { isReplay: true };
const OF_SUBAGENT = { parent_tool_use_id: "t" };

/** The lines that each CLI prints for these texts, trimmed; the kind that its message has. */
const QUOTED: readonly (readonly [name: string, line: Line, kind: string | undefined])[] = [
  ["an echo of a host message", userLine(blocks(OUTPUT), ECHO), undefined],
  ["an echo of one that starts with a slash", userLine(`/etc ${OUTPUT}`, ECHO), undefined],
  [
    "a command with arguments",
    userLine(`<command-name>/x</command-name><command-args>${OUTPUT}</command-args>`, ECHO),
    undefined,
  ],
  ["the prompt of a subagent", userLine(blocks(OUTPUT), OF_SUBAGENT), "subagent_prompt"],
  ["a skill", userLine(blocks(OUTPUT), { isSynthetic: true }), "synthetic"],
  ["a summary of 38", userLine(`It said ${OUTPUT}`, { isReplay: false }), "synthetic"],
  ["a summary that is only that", userLine(OUTPUT, { isReplay: false }), "synthetic"],
];

test.each([...QUOTED])(
  "a text that quotes the output of a local command is no output but %s",
  (_name, line, kind) => {
    expect(meaningOf(line).map((message) => message.type === "user_text" && message.kind)).toEqual(
      kind === undefined ? [] : [kind as "synthetic"],
    );
  },
);

test("output that quotes the tags is whole", () => {
  const text = `Found ${OUTPUT} in notes.md`;
  const line = userLine(`<local-command-stdout>${text}</local-command-stdout>`, ECHO);
  expect(meaningOf(line)).toEqual([{ type: "user_text", text, kind: "command_output" }]);
});

test("an echo of a host message emits no message", () => {
  expect(meaningOf(captured("replay"))).toEqual([]);
});

test("an echo with an image emits no message (made up)", () => {
  const content = [
    { type: "text", text: "x" },
    { type: "image", source: {} },
  ];
  expect(meaningOf(userLine(content, { isReplay: true }))).toEqual([]);
});

test.each([
  ["[Request interrupted by user]", "interrupt_marker"],
  ["[Request interrupted by user for tool use]", "interrupt_marker"],
  ["[Request interrupted by user] she said", "synthetic"],
  ["a nudge", "synthetic"],
])("the text %s has the kind %s", (text, kind) => {
  expect(meaningOf(userLine([{ type: "text", text }]))).toEqual([
    { type: "user_text", text, kind } as OutboundDraft,
  ]);
});

test.each([
  ["the prompt of a subagent", blocks("[Request interrupted by user]"), OF_SUBAGENT],
  ["a skill", blocks("[Request interrupted by user]"), { isSynthetic: true }],
  ["a summary", "[Request interrupted by user]", { isReplay: false }],
])("%s with the words of the interrupt marker is none", (_name, content, fields) => {
  const kind = "parent_tool_use_id" in fields ? "subagent_prompt" : "synthetic";
  expect(meaningOf(userLine(content, fields))).toMatchObject([{ kind }]);
});

test("a recorded interrupt marker has the kind interrupt_marker", () => {
  expect(meaningOf(captured("interrupt marker"))[0]).toMatchObject({ kind: "interrupt_marker" });
});

test.each(["38", "330"])(
  "the prompt of a subagent of %s has the kind subagent_prompt",
  (version) => {
    expect(meaningOf(captured(`subagent prompt ${version}`))[0]).toMatchObject({
      kind: "subagent_prompt",
      text: expect.stringContaining("SUBAGENT-TASK-A"),
    });
  },
);
