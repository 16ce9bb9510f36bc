/** Previews of tool calls. The inputs are from captured prompts; those under `made up` have no recording. */
import { expect, test } from "bun:test";
import { viewInput } from "../input-preview.ts";

test("a captured input is previewed by the kind of its tool, with every field", async () => {
  const view = [
    viewInput("Bash", {
      command: "touch a.txt",
      description: "Background job",
      run_in_background: true,
    }),
    viewInput("Edit", {
      file_path: "/work/project/e.txt",
      old_string: "two",
      new_string: "TWO\nTWO-B",
      replace_all: false,
    }),
    viewInput("Write", { file_path: "/work/project/a.txt", content: "x\n" }),
    viewInput("NotebookEdit", {
      notebook_path: "/work/project/n.ipynb",
      cell_id: "c1",
      new_source: "print(2)",
      cell_type: "code",
      edit_mode: "replace",
    }),
    viewInput("Read", { file_path: "/etc/hostname" }),
    viewInput("WebFetch", { url: "https://example.com/page", prompt: "What is it?" }),
    viewInput("WebSearch", { query: "hello world" }),
    viewInput("Agent", {
      description: "Explore things",
      prompt: "look at e.txt",
      subagent_type: "general-purpose",
    }),
    viewInput("mcp__probe__echo", { text: "hi" }),
    viewInput("ExitPlanMode", {
      plan: "# Plan",
      allowedPrompts: [{ tool: "Bash", prompt: "run tests" }],
    }),
  ];
  expect(view).toEqual([
    {
      body: { kind: "command", command: "touch a.txt", isBackground: true },
      rest: [{ name: "description", text: "Background job" }],
    },
    {
      body: {
        kind: "diff",
        filePath: "/work/project/e.txt",
        hunks: [
          { oldStart: 1, newStart: 1, lines: ["-two", "+TWO", "+TWO-B"], oldLines: 1, newLines: 2 },
        ],
      },
      rest: [{ name: "replace_all", text: "false" }],
    },
    {
      body: {
        kind: "diff",
        filePath: "/work/project/a.txt",
        hunks: [{ oldStart: 1, newStart: 1, lines: ["+x"], oldLines: 0, newLines: 1 }],
      },
      rest: [],
    },
    {
      body: {
        kind: "diff",
        filePath: "/work/project/n.ipynb",
        hunks: [{ oldStart: 1, newStart: 1, lines: ["+print(2)"], oldLines: 0, newLines: 1 }],
      },
      rest: [
        { name: "cell_id", text: "c1" },
        { name: "cell_type", text: "code" },
        { name: "edit_mode", text: "replace" },
      ],
    },
    { body: { kind: "file", filePath: "/etc/hostname" }, rest: [] },
    {
      body: { kind: "address", url: "https://example.com/page" },
      rest: [{ name: "prompt", text: "What is it?" }],
    },
    { body: { kind: "search", query: "hello world" }, rest: [] },
    {
      body: { kind: "agent", agentType: "general-purpose", prompt: "look at e.txt" },
      rest: [{ name: "description", text: "Explore things" }],
    },
    { body: { kind: "fields" }, rest: [{ name: "text", text: "hi" }] },
    {
      body: { kind: "plan", plan: "# Plan" },
      rest: [
        {
          name: "allowedPrompts",
          text: '[\n  {\n    "tool": "Bash",\n    "prompt": "run tests"\n  }\n]',
        },
      ],
    },
  ]);
});

test("a made up input is previewed by the kind of its tool, with every field", async () => {
  const view = [
    viewInput("MultiEdit", {
      file_path: "/a",
      edits: [
        { old_string: "a", new_string: "b" },
        { old_string: "c", new_string: "" },
      ],
    }),
    viewInput("Grep", { pattern: "x+", path: "/work" }),
    viewInput("NotebookEdit", {
      notebook_path: "/n",
      edit_mode: "delete",
      cell_id: "c",
      new_source: "",
    }),
    viewInput("Bash", { command: 5 }),
    viewInput("MultiEdit", { file_path: "/a", edits: [{ old_string: "a" }] }),
    viewInput("Bash", { command: "ls \u202e#\u0007", timeout: 1000 }),
    viewInput("Unheard", {}),
  ];
  expect(view).toEqual([
    {
      body: {
        kind: "diff",
        filePath: "/a",
        hunks: [
          { oldStart: 1, newStart: 1, lines: ["-a", "+b"], oldLines: 1, newLines: 1 },
          { oldStart: 1, newStart: 1, lines: ["-c"], oldLines: 1, newLines: 0 },
        ],
      },
      rest: [],
    },
    { body: { kind: "search", query: "x+" }, rest: [{ name: "path", text: "/work" }] },
    {
      body: { kind: "file", filePath: "/n" },
      rest: [
        { name: "edit_mode", text: "delete" },
        { name: "cell_id", text: "c" },
        { name: "new_source", text: "" },
      ],
    },
    { body: { kind: "fields" }, rest: [{ name: "command", text: "5" }] },
    {
      body: { kind: "fields" },
      rest: [
        { name: "file_path", text: "/a" },
        { name: "edits", text: '[\n  {\n    "old_string": "a"\n  }\n]' },
      ],
    },
    {
      body: { kind: "command", command: "ls \\u{202e}#\\u{7}", isBackground: false },
      rest: [{ name: "timeout", text: "1000" }],
    },
    { body: { kind: "fields" }, rest: [] },
  ]);
});
