/** The result of each kind of tool, as it is shown. Undefined for a result of an unexpected shape. Pure. */

import { isFields, objectOf, objectsOf, textOf, textsOf } from "../claude-value.ts";
import type { TaskItem } from "../reduced-session.ts";
import { tasksAfter } from "../reducer/task-list.ts";
import type { ToolItem } from "../transcript-models.ts";
import { showHidden } from "./visible-text.ts";

export type WebPage = { readonly title: string; readonly url: string };

/** The forms of several tools. A row of the table may have one of its own. */
export type SharedOutput =
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

export const NO_OUTPUT: SharedOutput = { kind: "none" };

/** The CLI's text for an empty output. */
const EMPTY_OUTPUT = "(Bash completed with no output)";

/** Begins the text of an output that is stored in a file. */
const PERSISTED = "<persisted-output>";

/** How a failed command begins its output. */
const EXIT_CODE = /^Exit code (\d+)(?:\n|$)/;

/** How a command has failed; undefined where its output does not say. */
export function exitCodeOf({ result }: Pick<ToolItem, "result">): number | undefined {
  const code = result?.isError === true ? EXIT_CODE.exec(result.output)?.[1] : undefined;
  return code === undefined ? undefined : Number(code);
}

/** The text has only the beginning of a long output (§19). The exit code is beside it. */
export function shellOutput(whole: string, item: ToolItem): SharedOutput {
  const text = exitCodeOf(item) === undefined ? whole : whole.replace(EXIT_CODE, "");
  return printedOutput(text, item);
}

function printedOutput(text: string, { structured }: ToolItem): SharedOutput {
  if (text === "" || text === EMPTY_OUTPUT) return NO_OUTPUT;
  const { stdout, stderr } = objectOf(structured) ?? {};
  const whole = [stdout, stderr].flatMap((part) => textOf(part) || []).join("\n");
  const isCut = text.startsWith(PERSISTED) && whole.length > text.length;
  return { kind: "terminal", text: isCut ? whole : text };
}

/** The list that a call writes or reads as a whole. */
export function taskOutput(_text: string, item: ToolItem): SharedOutput | undefined {
  const tasks = tasksAfter([], item, item.structured ?? {});
  return tasks.length === 0 ? undefined : { kind: "tasks", tasks };
}

/** The diff says it all. */
export function diffOutput(_text: string, { structured }: ToolItem): SharedOutput | undefined {
  return isFields(structured) ? NO_OUTPUT : undefined;
}

/** The answers stand on the card. */
export function answersOutput(_text: string, { structured }: ToolItem): SharedOutput | undefined {
  return objectOf(structured)?.["answers"] === undefined ? undefined : NO_OUTPUT;
}

export function readOutput(text: string, { structured }: ToolItem): SharedOutput | undefined {
  return fileOutput(structured) ?? numberedOutput(text);
}

function fileOutput(structured: unknown): SharedOutput | undefined {
  const result = objectOf(structured);
  const file = objectOf(result?.["file"]);
  const content = textOf(file?.["content"]);
  if (result?.["type"] !== "text" || content === undefined) return undefined;
  const startLine = file?.["startLine"];
  return fileLines(content, typeof startLine === "number" ? startLine : 1);
}

function fileLines(content: string, startLine: number): SharedOutput {
  if (content === "") return NO_OUTPUT;
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
function numberedOutput(output: string): SharedOutput | undefined {
  const lines = linesOf(output).map((line) => NUMBERED.exec(line));
  if (!lines.every((line) => line !== null)) return undefined;
  const startLine = Number(lines[0]?.[1]);
  return fileLines(lines.map((line) => line[2] ?? "").join("\n"), startLine);
}

export function pathsOutput(_text: string, { structured }: ToolItem): SharedOutput | undefined {
  const result = objectOf(structured);
  const paths = textsOf(result?.["filenames"]);
  if (paths.length === 0 || textOf(result?.["content"])) return undefined;
  return { kind: "paths", paths: paths.map(showHidden), isCut: result?.["truncated"] === true };
}

export function pagesOutput(_text: string, { structured }: ToolItem): SharedOutput | undefined {
  const results = objectOf(structured)?.["results"];
  if (!Array.isArray(results)) return undefined;
  const pages = objectsOf(results).flatMap(({ content }) =>
    objectsOf(content).flatMap(({ title, url }) =>
      typeof url === "string" ? [{ title: showHidden(textOf(title) ?? url), url }] : [],
    ),
  );
  return { kind: "pages", pages, text: textsOf(results).join("\n\n") };
}

export function agentOutput(text: string, { structured }: ToolItem): SharedOutput {
  const launched = launchText(structured);
  if (launched !== undefined) return { kind: "text", text: launched };
  return { kind: "markdown", text: agentReport(text, structured) };
}

/** For the model, below a report: how to go on with the agent. */
const AGENT_ID = /\n*^agentId: \S+ \((?:use SendMessage|for resuming)[\s\S]*$/m;

/** For the model, above a report: the tools that the agent has used (V330). */
const TOOLS_USED = /^\s*<tools-used-before-summary>[^<]*<\/tools-used-before-summary>\s*/;

/** For the model, above the report of an agent's own agent, whose lines are then indented (V330). */
const HAND_BACK = /^\[Subagent hand-back\].*\n/;

/** The report of an agent at its end. */
export function agentReport(text: string, structured: unknown): string {
  const said = objectsOf(objectOf(structured)?.["content"]).flatMap(
    (block) => textOf(block["text"])?.replace(TOOLS_USED, "") || [],
  );
  if (said.length > 0) return said.join("\n\n");
  const report = text.replace(AGENT_ID, "").replace(TOOLS_USED, "");
  return HAND_BACK.test(report) ? report.replace(HAND_BACK, "").replaceAll(/^ {2}/gm, "") : report;
}

/** The text of the launch of an agent in the background is for the model: it says not to show it. */
export function launchText(structured: unknown): string | undefined {
  const isLaunch = objectOf(structured)?.["status"] === "async_launched";
  return isLaunch ? "Started in the background" : undefined;
}
