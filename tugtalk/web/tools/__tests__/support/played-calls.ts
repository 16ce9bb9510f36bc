/** Calls of every kind of tool that has a form of its own in a card, with their results. */
import type { PlayedCall } from "./tool-turn.ts";

export const BASH: PlayedCall = {
  id: "bash",
  name: "Bash",
  input: { command: "bun test --colors", description: "Run the tests" },
  result:
    "\u001b[1mTests\u001b[0m\n\u001b[32m✓\u001b[0m adds \u001b[2m[1 ms]\u001b[0m\nbuilding 10%\rbuilding 100%\n\u001b[31m✗ divides\u001b[0m\n\u001b]8;;https://example.com/report\u001b\\report\u001b]8;;\u001b\\",
  structured: { stdout: "", stderr: "", interrupted: false },
};

export const LONG_BASH: PlayedCall = {
  id: "long-bash",
  name: "Bash",
  input: { command: "seq 1 200" },
  result: Array.from({ length: 200 }, (_, at) => String(at + 1)).join("\n"),
};

export const FAILED_BASH: PlayedCall = {
  id: "failed-bash",
  name: "Bash",
  input: { command: "make release", description: "Make a release" },
  result: "Exit code 2\nmake: *** No rule to make target 'release'.  Stop.",
  isError: true,
  structured: "Error: Exit code 2",
};

export const EDIT: PlayedCall = {
  id: "edit",
  name: "Edit",
  input: {
    file_path: "/work/project/src/greet.ts",
    old_string: 'return "Hello " + name;',
    new_string: 'return "Good morning, " + name;',
  },
  result: "The file has been updated.",
  structured: {
    filePath: "/work/project/src/greet.ts",
    oldString: 'return "Hello " + name;',
    newString: 'return "Good morning, " + name;',
    originalFile: 'export function greet(name: string) {\n  return "Hello " + name;\n}\n',
    structuredPatch: [
      {
        oldStart: 11,
        oldLines: 3,
        newStart: 11,
        newLines: 3,
        lines: [
          " export function greet(name: string) {",
          '-  return "Hello " + name;',
          '+  return "Good morning, " + name;',
          " }",
        ],
      },
    ],
  },
};

export const WRITE: PlayedCall = {
  id: "write",
  name: "Write",
  input: { file_path: "/work/project/src/new.ts", content: "export const answer = 42;\n" },
  result: "File created successfully",
  structured: {
    type: "create",
    filePath: "/work/project/src/new.ts",
    content: "export const answer = 42;\n",
    structuredPatch: [],
    originalFile: null,
  },
};

export const READ: PlayedCall = {
  id: "read",
  name: "Read",
  input: { file_path: "/work/project/src/greet.ts", offset: 7 },
  result: "7\tone\n8\ttwo",
  structured: {
    type: "text",
    file: {
      filePath: "/work/project/src/greet.ts",
      content: "one\ntwo",
      numLines: 2,
      startLine: 7,
      totalLines: 30,
    },
  },
};

export const GLOB: PlayedCall = {
  id: "glob",
  name: "Glob",
  input: { pattern: "**/*.ts" },
  result: "/work/project/src/a.ts\n/work/project/src/b.ts",
  structured: {
    filenames: ["/work/project/src/a.ts", "/work/project/src/b.ts"],
    numFiles: 2,
    truncated: false,
  },
};

export const SEARCH: PlayedCall = {
  id: "search",
  name: "WebSearch",
  input: { query: "bun bundler" },
  result: "Web search results",
  structured: {
    query: "bun bundler",
    results: [
      { tool_use_id: "s", content: [{ title: "Bundler", url: "https://bun.com/docs/bundler" }] },
      "It bundles.",
    ],
  },
};

export const MCP: PlayedCall = {
  id: "mcp",
  name: "mcp__files__count",
  input: { folder: "src", deep: { hidden: true } },
  result: '{"files":12,"lines":3456}',
};

/** 20 × 10 pixels. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAABQAAAAKCAIAAAA7N+mxAAAAF0lEQVR4nGM4ISdHNmIY1TwaYHIEggAAloDLIeP5PLwAAAAASUVORK5CYII=";

export const IMAGE: PlayedCall = {
  id: "image",
  name: "mcp__files__shot",
  input: {},
  result: [
    { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
    { type: "image", source: { type: "base64", media_type: "image/svg+xml", data: PNG } },
  ],
};

export const TODOS: PlayedCall = {
  id: "todos",
  name: "TodoWrite",
  input: {
    todos: [
      { content: "Read the sources", status: "completed", activeForm: "Reading the sources" },
      { content: "Run the tests", status: "in_progress", activeForm: "Running the tests" },
      { content: "Write it down", status: "pending", activeForm: "Writing it down" },
    ],
  },
  result: "Todos have been modified",
  structured: { oldTodos: [], newTodos: undefined },
};

export const AGENT: PlayedCall = {
  id: "agent",
  name: "Task",
  input: {
    description: "Find the greeting",
    prompt: "Where is the greeting made?",
    subagent_type: "Explore",
  },
  result: [{ type: "text", text: "It is in **src/greet.ts**." }],
  structured: { status: "completed" },
};

export const AGENT_READ: PlayedCall = { ...READ, id: "agent-read", parent: "agent" };

/** The call of the agent and its report, apart from each other. */
export const AGENT_START: PlayedCall = { id: AGENT.id, name: AGENT.name, input: AGENT.input };
export const AGENT_END: PlayedCall = { ...AGENT, isResultOnly: true };

/** It is running when the turn ends. */
export const WAITING: PlayedCall = { id: "wait", name: "Bash", input: { command: "sleep 100" } };

const lines = (word: string) => Array.from({ length: 100 }, (_, at) => `${word} ${at}`);

export const REWRITE: PlayedCall = {
  id: "rewrite",
  name: "Write",
  input: { file_path: "/work/project/all.txt", content: `${lines("new").join("\n")}\n` },
  result: "The file has been updated",
  structured: {
    type: "update",
    filePath: "/work/project/all.txt",
    content: `${lines("new").join("\n")}\n`,
    originalFile: `${lines("old").join("\n")}\n`,
    structuredPatch: [
      {
        oldStart: 1,
        oldLines: 100,
        newStart: 1,
        newLines: 100,
        lines: [...lines("-old"), ...lines("+new")],
      },
    ],
  },
};

export const FAILED_EDIT: PlayedCall = {
  ...EDIT,
  id: "failed-edit",
  result: "<tool_use_error>String to replace not found in file.</tool_use_error>",
  isError: true,
  structured: "Error: String to replace not found in file.",
};

export const HOSTILE: PlayedCall = {
  id: "hostile",
  name: "mcp__evil__<img src=x onerror=alert(1)>",
  input: { "\u202egnp": "<img src=x onerror=alert(1)>", url: "javascript:alert(1)" },
  result: "\u001b]8;;javascript:alert(1)\u001b\\click\u001b]8;;\u001b\\ <script>alert(1)</script>",
};

export const HUGE: PlayedCall = {
  id: "huge",
  name: "Bash",
  input: { command: "yes" },
  result: "y".repeat(20_000),
};

export const ALL_CALLS: readonly PlayedCall[] = [
  BASH,
  LONG_BASH,
  FAILED_BASH,
  EDIT,
  WRITE,
  READ,
  GLOB,
  SEARCH,
  MCP,
  IMAGE,
  TODOS,
];
