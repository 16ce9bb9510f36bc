/** The forms in which results of tool calls are read. */
import { expect, test } from "bun:test";
import type { ToolItem } from "../../../client/transcript-models.ts";
import type { ShownOutput } from "../../../client/views/tools.ts";
import { showOutput } from "../shown-output.ts";

function itemOf(name: string, output: string, more: Partial<ToolItem> = {}): ToolItem {
  const result = { output, isError: false };
  return { kind: "tool", key: "1", toolUseId: "1", name, status: "done", result, ...more };
}

const NOTHING = { kind: "none" } as const;
const failure = (output: string) => ({ result: { output, isError: true } });
const PERSISTED = "<persisted-output>\nOutput too large (106.3KB).";
const TASK = { id: "1", subject: "Read", status: "pending", blockedBy: [] };

/** The shown output of calls, by their kind. */
const OUTPUTS: Readonly<Record<string, readonly [item: ToolItem, shown: ShownOutput]>> = {
  "a call without a result": [
    { kind: "tool", key: "1", toolUseId: "1", name: "Bash", status: "running" },
    NOTHING,
  ],
  "a command": [itemOf("Bash", "\u001b[31mred"), { kind: "terminal", text: "\u001b[31mred" }],
  "a command that printed nothing": [itemOf("Bash", "(Bash completed with no output)"), NOTHING],
  "a command that failed": [
    itemOf("Bash", "", failure("Exit code 2\nno rule")),
    { kind: "terminal", text: "no rule" },
  ],
  "a command that printed too much": [
    itemOf("Bash", PERSISTED, { structured: { stdout: "1\n".repeat(90), stderr: "" } }),
    { kind: "terminal", text: "1\n".repeat(90) },
  ],
  "a command that printed too much, by an agent": [
    itemOf("Bash", PERSISTED),
    { kind: "terminal", text: PERSISTED },
  ],
  "a failed call": [
    itemOf("Read", "", failure("<tool_use_error>No such file</tool_use_error>")),
    { kind: "error", text: "No such file" },
  ],
  "a file": [
    itemOf("Read", "2\ttwo", {
      structured: { type: "text", file: { content: "two\n\u202ethree\n", startLine: 2 } },
    }),
    { kind: "file", lines: ["two", "\\u{202e}three"], startLine: 2 },
  ],
  "a file that an agent has read": [
    itemOf("Read", "   41→one\n   42→two"),
    { kind: "file", lines: ["one", "two"], startLine: 41 },
  ],
  "an empty file": [
    itemOf("Read", "<system-reminder>empty</system-reminder>", {
      structured: { type: "text", file: { content: "", startLine: 1 } },
    }),
    NOTHING,
  ],
  "found files": [
    itemOf("Glob", "/a\n/b", { structured: { filenames: ["/a", "/b"], truncated: true } }),
    { kind: "paths", paths: ["/a", "/b"], isCut: true },
  ],
  "found lines": [
    itemOf("Grep", "/a:1:x", { structured: { filenames: ["/a"], content: "/a:1:x" } }),
    { kind: "terminal", text: "/a:1:x" },
  ],
  "found pages": [
    itemOf("WebSearch", "…", {
      structured: { results: [{ content: [{ title: "T", url: "https://x" }] }, "Text"] },
    }),
    { kind: "pages", pages: [{ title: "T", url: "https://x" }], text: "Text" },
  ],
  "a page": [itemOf("WebFetch", "# Title"), { kind: "markdown", text: "# Title" }],
  "the report of an agent": [itemOf("Task", "**Done**"), { kind: "markdown", text: "**Done**" }],
  "an agent in the background": [
    itemOf("Agent", "internal", { structured: { status: "async_launched" } }),
    { kind: "text", text: "Started in the background" },
  ],
  "an edit": [itemOf("Edit", "updated", { structured: { filePath: "/a" } }), NOTHING],
  "an edit by an agent": [itemOf("Edit", "updated"), { kind: "terminal", text: "updated" }],
  "answered questions": [
    itemOf("AskUserQuestion", "…", { structured: { answers: { Q: "A" } } }),
    NOTHING,
  ],
  "a list of tasks": [
    itemOf("TaskList", "#1", { structured: { tasks: [TASK] } }),
    { kind: "tasks", tasks: [TASK] },
  ],
  "a list of todos, as soon as its input is there": [
    {
      kind: "tool",
      key: "1",
      toolUseId: "1",
      name: "TodoWrite",
      status: "running",
      input: { todos: [{ content: "Test", status: "in_progress", activeForm: "Testing" }] },
    },
    {
      kind: "tasks",
      tasks: [{ ...TASK, subject: "Test", status: "in_progress", activeForm: "Testing" }],
    },
  ],
  JSON: [itemOf("mcp__a__b", '{"a":[1]}'), { kind: "json", text: '{\n  "a": [\n    1\n  ]\n}' }],
  "text that begins like JSON": [itemOf("mcp__a__b", "[x]"), { kind: "terminal", text: "[x]" }],
  "an empty result": [itemOf("mcp__a__b", ""), NOTHING],
};

for (const [name, [item, shown]] of Object.entries(OUTPUTS))
  test(`the result of ${name} is shown in its form`, () => {
    expect(showOutput(item)).toEqual(shown);
  });
