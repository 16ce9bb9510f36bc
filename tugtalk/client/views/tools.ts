/**
 * The tools of Claude Code that are shown in a form of their own, one row each: all that kit and page know
 * of a tool by its name. Any other tool is shown field by field. Pure.
 */
import { type Fields, filledText, objectsOf } from "../claude-value.ts";
import {
  agentInput,
  commandInput,
  editInput,
  multiEditInput,
  notebookInput,
  oneField,
  questionsInput,
  type ShownInput,
  writeInput,
} from "./tool-inputs.ts";
import {
  agentOutput,
  answersOutput,
  diffOutput,
  pagesOutput,
  pathsOutput,
  type ReadOutput,
  readOutput,
  shellOutput,
  taskOutput,
} from "./tool-outputs.ts";
import { showHidden } from "./visible-text.ts";

/** What a row has. */
export type ToolRow = {
  /** What the icon shows. */
  readonly icon:
    | "edit"
    | "file"
    | "fork"
    | "globe"
    | "list"
    | "question"
    | "search"
    | "spark"
    | "stop"
    | "tasks"
    | "terminal";
  /** What a call would do. Undefined for an input of an unexpected shape. */
  readonly input?: (input: Fields) => ShownInput | undefined;
  /** The call on one line, where the shown input does not tell it. */
  readonly summary?: (input: Fields) => string;
  /** What came of a call. Undefined where the result has no form of its own. */
  readonly output?: ReadOutput;
  /** `output` shows a failed call as well. */
  readonly showsErrors?: true;
  /** `output` shows all of the input. */
  readonly showsInput?: true;
  /** What the content of a permission rule is. */
  readonly rule?: "command" | "path";
  /** A call changes the file of its input. */
  readonly changesFile?: true;
};

const shellTask = { icon: "terminal", output: shellOutput, showsErrors: true } as const;
const shell = { ...shellTask, input: commandInput, rule: "command" } as const;
const agent = { icon: "fork", input: agentInput, output: agentOutput } as const;
const change = { output: diffOutput, changesFile: true } as const;
const edit = { icon: "edit", rule: "path", ...change } as const;
const search = {
  icon: "search",
  input: (input) => oneField(input, "pattern", (query) => ({ kind: "search", query })),
  output: pathsOutput,
  rule: "path",
} as const satisfies ToolRow;

const TOOLS = {
  Bash: shell,
  PowerShell: shell,
  BashOutput: shellTask,
  TaskOutput: shellTask,
  KillShell: { icon: "stop" },
  Edit: { ...edit, input: editInput },
  MultiEdit: { icon: "edit", input: multiEditInput, ...change },
  NotebookEdit: { ...edit, input: notebookInput },
  Write: { ...edit, icon: "file", input: (input) => writeInput(input, "file_path", "content") },
  Read: {
    icon: "file",
    input: (input) => oneField(input, "file_path", (filePath) => ({ kind: "file", filePath })),
    output: readOutput,
    rule: "path",
  },
  Glob: search,
  Grep: search,
  WebFetch: {
    icon: "globe",
    input: (input) => oneField(input, "url", (url) => ({ kind: "address", url })),
    output: (text) => ({ kind: "markdown", text }),
  },
  WebSearch: {
    icon: "globe",
    input: (input) => oneField(input, "query", (query) => ({ kind: "search", query })),
    output: pagesOutput,
  },
  Task: agent,
  Agent: agent,
  ExitPlanMode: {
    icon: "list",
    input: (input) => oneField(input, "plan", (plan) => ({ kind: "plan", plan })),
  },
  AskUserQuestion: { icon: "question", input: questionsInput, output: answersOutput },
  TodoWrite: { icon: "tasks", summary: todoSummary, output: taskOutput, showsInput: true },
  TaskCreate: { icon: "tasks" },
  TaskUpdate: { icon: "tasks", summary: updateSummary },
  TaskList: { icon: "tasks", output: taskOutput },
  TaskGet: { icon: "tasks", output: taskOutput },
  Skill: { icon: "spark" },
} as const satisfies Readonly<Record<string, ToolRow>>;

/** What is known of a tool; undefined for a tool without a row. */
export function toolRow(name: string | undefined): ToolRow | undefined {
  return name !== undefined && Object.hasOwn(TOOLS, name)
    ? TOOLS[name as keyof typeof TOOLS]
    : undefined;
}

/** `2 of 5 · Running tests` */
function todoSummary({ todos }: Fields): string {
  const all = objectsOf(todos);
  const done = all.filter(({ status }) => status === "completed").length;
  const active = all.find(({ status }) => status === "in_progress");
  const title = filledText(active?.["activeForm"]) ?? filledText(active?.["content"]);
  return [`${done} of ${all.length}`, title && showHidden(title)].filter(Boolean).join(" · ");
}

/** `3 · Run the tests · in progress` */
function updateSummary({ taskId, status, subject }: Fields): string {
  const parts = [filledText(taskId), filledText(subject), filledText(status)?.replace("_", " ")];
  return showHidden(parts.filter((part) => part !== undefined).join(" · "));
}
