/** The result of a tool call in the form in which a person reads it, by kind of tool. Pure. */
import { isFields, objectOf, objectsOf, textOf, textsOf } from "../../client/claude-value.ts";
import { tasksAfter } from "../../client/reducer/task-list.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import type { ToolItem } from "../../src/messages/transcript-models.ts";
import type { TaskItem } from "../../src/web-components.ts";

export type WebPage = { readonly title: string; readonly url: string };

export type ShownOutput =
  | { readonly kind: "none" }
  /** Perhaps with colours. */
  | { readonly kind: "terminal"; readonly text: string }
  | { readonly kind: "error"; readonly text: string }
  | { readonly kind: "file"; readonly lines: readonly string[]; readonly startLine: number }
  | { readonly kind: "paths"; readonly paths: readonly string[]; readonly isCut: boolean }
  | { readonly kind: "tasks"; readonly tasks: readonly TaskItem[] }
  | { readonly kind: "pages"; readonly pages: readonly WebPage[]; readonly text: string }
  /** Written by a model. */
  | { readonly kind: "markdown"; readonly text: string }
  | { readonly kind: "json"; readonly text: string }
  | { readonly kind: "text"; readonly text: string };

const NOTHING: ShownOutput = { kind: "none" };

export function showOutput(item: ToolItem): ShownOutput {
  const { name = "", result, structured } = item;
  const tasks = result?.isError === true ? [] : listedTasks(item);
  if (tasks.length > 0) return { kind: "tasks", tasks };
  if (result === undefined) return NOTHING;
  if (SHELLS.has(name)) return shellOutput(item);
  if (result.isError) return { kind: "error", text: withoutTags(result.output) };
  const known = knownOutput(name, result.output, structured);
  return known ?? plainOutput(result.output);
}

/** The list that a call writes or reads as a whole. */
function listedTasks(item: ToolItem): readonly TaskItem[] {
  const isWritten = item.name === "TodoWrite";
  const isListed = item.name === "TaskList" || item.name === "TaskGet";
  return isWritten || isListed ? tasksAfter([], item, item.structured ?? {}) : [];
}

const SHELLS: ReadonlySet<string> = new Set(["Bash", "PowerShell", "BashOutput", "TaskOutput"]);

const PERSISTED = "<persisted-output>";

const NO_OUTPUT = "(Bash completed with no output)";

/** Of a long output, the result has only the beginning (§19). */
function shellOutput({ result, structured }: ToolItem): ShownOutput {
  const output = withoutTags(result?.output ?? "");
  if (output === "" || output === NO_OUTPUT) return NOTHING;
  const { stdout, stderr } = objectOf(structured) ?? {};
  const whole = [stdout, stderr].flatMap((text) => textOf(text) || []).join("\n");
  const isCut = output.startsWith(PERSISTED) && whole.length > output.length;
  return { kind: "terminal", text: isCut ? whole : output };
}

function knownOutput(name: string, output: string, structured: unknown): ShownOutput | undefined {
  switch (name) {
    case "Read":
      return fileOutput(structured) ?? numberedOutput(output);
    case "Glob":
    case "Grep":
      return pathsOutput(structured);
    case "WebSearch":
      return pagesOutput(structured);
    case "WebFetch":
      return { kind: "markdown", text: output };
    case "Task":
    case "Agent":
      return agentOutput(output, structured);
    case "Edit":
    case "MultiEdit":
    case "Write":
    case "NotebookEdit":
      return isFields(structured) ? NOTHING : undefined; // The diff says it all.
    case "AskUserQuestion":
      return objectOf(structured)?.["answers"] === undefined ? undefined : NOTHING;
    default:
      return undefined;
  }
}

function fileOutput(structured: unknown): ShownOutput | undefined {
  const result = objectOf(structured);
  const file = objectOf(result?.["file"]);
  const content = textOf(file?.["content"]);
  if (result?.["type"] !== "text" || content === undefined) return undefined;
  const startLine = file?.["startLine"];
  return fileLines(content, typeof startLine === "number" ? startLine : 1);
}

function fileLines(content: string, startLine: number): ShownOutput {
  if (content === "") return NOTHING;
  return { kind: "file", lines: linesOf(content).map(showHidden), startLine };
}

/** The newline at the end begins no line. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

const NUMBERED = /^ *(\d+)[\t→](.*)$/;

/** A subagent's result has no structure: its lines begin with their numbers. */
function numberedOutput(output: string): ShownOutput | undefined {
  const lines = linesOf(output).map((line) => NUMBERED.exec(line));
  if (!lines.every((line) => line !== null)) return undefined;
  const startLine = Number(lines[0]?.[1]);
  return fileLines(lines.map((line) => line[2] ?? "").join("\n"), startLine);
}

function pathsOutput(structured: unknown): ShownOutput | undefined {
  const result = objectOf(structured);
  const paths = textsOf(result?.["filenames"]);
  if (paths.length === 0 || textOf(result?.["content"])) return undefined;
  return { kind: "paths", paths: paths.map(showHidden), isCut: result?.["truncated"] === true };
}

function pagesOutput(structured: unknown): ShownOutput | undefined {
  const results = objectOf(structured)?.["results"];
  if (!Array.isArray(results)) return undefined;
  const pages = objectsOf(results).flatMap(({ content }) =>
    objectsOf(content).flatMap(({ title, url }) =>
      typeof url === "string" ? [{ title: showHidden(textOf(title) ?? url), url }] : [],
    ),
  );
  return { kind: "pages", pages, text: textsOf(results).join("\n\n") };
}

function agentOutput(output: string, structured: unknown): ShownOutput {
  // The text is for the model: it says not to show it.
  const isLaunch = objectOf(structured)?.["status"] === "async_launched";
  return isLaunch
    ? { kind: "text", text: "Started in the background" }
    : { kind: "markdown", text: output };
}

function plainOutput(output: string): ShownOutput {
  if (output === "") return NOTHING;
  const json = prettyJson(output);
  return json === undefined
    ? { kind: "terminal", text: output }
    : { kind: "json", text: showHidden(json) };
}

function prettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return undefined; // Text that begins like JSON.
  }
}

/** Claude marks errors for the model. */
function withoutTags(text: string): string {
  return text.replace(/<\/?(?:tool_use_error|system-reminder)>/g, "").trimEnd();
}
