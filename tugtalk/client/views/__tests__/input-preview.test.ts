/** Previews of tool calls. Some inputs are from captured prompts, the others are made up. */
import { expect, test } from "bun:test";
import type { DiffHunk, NamedText } from "../../prompt-models.ts";
import { viewInput } from "../input-preview.ts";
import type { InputBody } from "../tools.ts";

type Fields = Readonly<Record<string, unknown>>;
type Row = readonly [
  tool: string,
  input: Fields,
  body: InputBody,
  rest: Readonly<Record<string, string>>,
];

/** A diff with hunks of lines that are all changed. */
function diff(filePath: string, ...changes: readonly (readonly string[])[]): InputBody {
  const hunks = changes.map((lines): DiffHunk => {
    const oldLines = lines.filter((line) => line.startsWith("-")).length;
    return { oldStart: 1, newStart: 1, lines, oldLines, newLines: lines.length - oldLines };
  });
  return { kind: "diff", filePath, hunks };
}

const FIELDS: InputBody = { kind: "fields" };

const CAPTURED: readonly Row[] = [
  [
    "Bash",
    { command: "touch a.txt", description: "Background job", run_in_background: true },
    { kind: "command", command: "touch a.txt", isBackground: true },
    { description: "Background job" },
  ],
  [
    "Edit",
    { file_path: "/e.txt", old_string: "two", new_string: "TWO\nTWO-B", replace_all: false },
    diff("/e.txt", ["-two", "+TWO", "+TWO-B"]),
    { replace_all: "false" },
  ],
  [
    "Write",
    { file_path: "/a.txt", content: "x\n" },
    { ...diff("/a.txt", ["+x"]), isWhole: true } as InputBody,
    {},
  ],
  [
    "NotebookEdit",
    { notebook_path: "/n.ipynb", cell_id: "c1", new_source: "print(2)", edit_mode: "replace" },
    diff("/n.ipynb", ["+print(2)"]),
    { cell_id: "c1", edit_mode: "replace" },
  ],
  ["Read", { file_path: "/etc/hostname" }, { kind: "file", filePath: "/etc/hostname" }, {}],
  [
    "WebFetch",
    { url: "https://example.com/page", prompt: "What is it?" },
    { kind: "address", url: "https://example.com/page" },
    { prompt: "What is it?" },
  ],
  ["WebSearch", { query: "hello world" }, { kind: "search", query: "hello world" }, {}],
  [
    "Agent",
    { description: "Explore things", prompt: "look at e.txt", subagent_type: "general-purpose" },
    { kind: "agent", agentType: "general-purpose", prompt: "look at e.txt", isBackground: false },
    { description: "Explore things" },
  ],
  ["mcp__probe__echo", { text: "hi" }, FIELDS, { text: "hi" }],
  [
    "ExitPlanMode",
    { plan: "# Plan", allowedPrompts: [{ tool: "Bash", prompt: "run tests" }] },
    { kind: "plan", plan: "# Plan" },
    { allowedPrompts: '[\n  {\n    "tool": "Bash",\n    "prompt": "run tests"\n  }\n]' },
  ],
];

const MADE_UP: readonly Row[] = [
  [
    "MultiEdit",
    {
      file_path: "/a",
      edits: [
        { old_string: "a", new_string: "b" },
        { old_string: "c", new_string: "" },
      ],
    },
    diff("/a", ["-a", "+b"], ["-c"]),
    {},
  ],
  ["Grep", { pattern: "x+", path: "/work" }, { kind: "search", query: "x+" }, { path: "/work" }],
  [
    "NotebookEdit",
    { notebook_path: "/n", edit_mode: "delete", cell_id: "c", new_source: "" },
    { kind: "file", filePath: "/n" },
    { edit_mode: "delete", cell_id: "c", new_source: "" },
  ],
  ["Bash", { command: 5 }, FIELDS, { command: "5" }],
  [
    "MultiEdit",
    { file_path: "/a", edits: [{ old_string: "a" }] },
    FIELDS,
    { file_path: "/a", edits: '[\n  {\n    "old_string": "a"\n  }\n]' },
  ],
  [
    "Bash",
    { command: "ls \u202e#\u0007", timeout: 1000 },
    { kind: "command", command: "ls \\u{202e}#\\u{7}", isBackground: false },
    { timeout: "1000" },
  ],
  ["Unheard", {}, FIELDS, {}],
];

test.each([...CAPTURED, ...MADE_UP])(
  "the input of %s, %j, is previewed by the kind of its tool, with every field",
  (tool, input, body, fields) => {
    const rest: readonly NamedText[] = Object.entries(fields).map(([name, text]) => ({
      name,
      text,
    }));
    expect(viewInput(tool, input)).toEqual({ body, rest });
  },
);
