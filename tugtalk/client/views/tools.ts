/**
 * The tools of Claude Code that are shown in a form of their own, one row each: everything that kit and page
 * know of a tool by its name. Any other tool is shown field by field. Pure.
 */

import { type Fields, filledText, objectsOf } from "../claude-value.ts";
import type { NamedText } from "../prompt-models.ts";
import type { ToolItem } from "../transcript-models.ts";
import {
  agentInput,
  commandInput,
  editInput,
  fileInput,
  multiEditInput,
  notebookInput,
  oneField,
  planInput,
  questionsInput,
  type ShownInput,
} from "./tool-inputs.ts";
import {
  agentOutput,
  answersOutput,
  diffOutput,
  pagesOutput,
  pathsOutput,
  readOutput,
  type SharedOutput,
  shellOutput,
  taskOutput,
} from "./tool-outputs.ts";
import { showHidden } from "./visible-text.ts";

/** In which form something is shown: the page draws each kind. */
type Form = { readonly kind: string };

/** The fields of a row. */
type RowOf<Body extends Form, Output extends Form> = {
  /** The picture of the icon. */
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
  /** The effect of a call. Undefined for an input of an unexpected shape. */
  readonly input?: (input: Fields) => ShownInput<Body> | undefined;
  /** The call on one line, where the shown input does not tell it. */
  readonly summary?: (input: Fields) => string;
  /**
   * The outcome of a call, from the text of its result, without the marks for the model, and all that is
   * known of it. Undefined where the result has no form of its own.
   */
  readonly output?: (text: string, item: ToolItem) => Output | undefined;
  /** `output` shows a failed call as well. */
  readonly showsErrors?: true;
  /** `output` shows all of the input. */
  readonly showsInput?: true;
  /** The kind of content of a permission rule. */
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
} as const satisfies RowOf<Form, Form>;

const TOOLS = {
  Bash: shell,
  PowerShell: shell,
  BashOutput: shellTask,
  TaskOutput: shellTask,
  KillShell: { icon: "stop" },
  Edit: { ...edit, input: editInput },
  MultiEdit: { icon: "edit", input: multiEditInput, ...change },
  NotebookEdit: { ...edit, input: notebookInput },
  Write: { ...edit, icon: "file", input: fileInput },
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
    output: (text): SharedOutput => ({ kind: "markdown", text }),
  },
  WebSearch: {
    icon: "globe",
    input: (input) => oneField(input, "query", (query) => ({ kind: "search", query })),
    output: pagesOutput,
  },
  Task: agent,
  Agent: agent,
  ExitPlanMode: { icon: "list", input: planInput },
  AskUserQuestion: { icon: "question", input: questionsInput, output: answersOutput },
  TodoWrite: { icon: "tasks", summary: todoSummary, output: taskOutput, showsInput: true },
  TaskCreate: { icon: "tasks" },
  TaskUpdate: { icon: "tasks", summary: updateSummary },
  TaskList: { icon: "tasks", output: taskOutput },
  TaskGet: { icon: "tasks", output: taskOutput },
  Skill: { icon: "spark" },
} as const satisfies Readonly<Record<string, RowOf<Form, Form>>>;

/** The results of the functions `input` or `output` of all rows. */
type ReturnOf<Kind extends "input" | "output"> = {
  [Name in keyof typeof TOOLS]: (typeof TOOLS)[Name] extends Readonly<
    Record<Kind, (...given: never) => infer Shown>
  >
    ? NonNullable<Shown>
    : never;
}[keyof typeof TOOLS];

/** The effect of a tool call, in the form of its row. */
export type InputBody = ReturnOf<"input">["body"] | { readonly kind: "fields" };

/**
 * Together, `body` and `rest` show every field of the input, in full. Characters that would hide something
 * are shown as `\u{202e}`.
 */
export type InputPreview = {
  readonly body: InputBody;
  /** The fields of the input that are not in `body`. */
  readonly rest: readonly NamedText[];
};

/** The outcome of a tool call, in the form of its row. */
export type ShownOutput = ReturnOf<"output"> | SharedOutput;

type ToolRow = RowOf<InputBody, ShownOutput>;

/** The row of a tool; undefined for a tool without a row. */
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
