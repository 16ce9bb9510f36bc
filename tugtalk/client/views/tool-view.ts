/** One tool call: its name, what it does, what it has changed, and what came of it. Pure. */
import type { ToolCallView, ToolImage, ToolOutput } from "../../src/messages/entry-models.ts";
import type { InputPreview, NamedText } from "../../src/messages/prompt-models.ts";
import type { ToolItem } from "../../src/messages/transcript-models.ts";
import { defined, objectOf, objectsOf, textOf } from "../claude-value.ts";
import { viewDiff } from "./diff-view.ts";
import { viewInput } from "./input-preview.ts";
import { viewToolName } from "./tool-name.ts";
import { toolRow } from "./tools.ts";
import { showValue } from "./visible-text.ts";

type Server = { readonly name: string };

/** A call without what its agent did. The same item and servers give an equal view. */
export function viewToolCall(item: ToolItem, servers: readonly Server[] = []): ToolCallView {
  const { key, name, status, partialInput, result, permission, elapsedSeconds, taskId } = item;
  const { preview, summary, diff, answers } = partsOf(item);
  return {
    kind: "tool",
    key,
    status,
    ...defined({
      tool: name === undefined ? undefined : viewToolName(name, servers),
      summary,
      preview: diff === undefined ? preview : undefined,
      partialInput: preview === undefined ? partialInput : undefined,
      output: result && viewOutput(result, item.structured),
      diff,
      answers,
      permission,
      elapsedSeconds,
      taskId,
    }),
  };
}

type ToolParts = {
  readonly preview?: InputPreview;
  readonly summary?: string;
  readonly diff?: ToolCallView["diff"];
  readonly answers?: readonly NamedText[];
};

/** The costly parts of a tool call, kept for as long as the item is: an open turn changes often. */
const KNOWN_PARTS = new WeakMap<ToolItem, ToolParts>();

function partsOf(item: ToolItem): ToolParts {
  const known = KNOWN_PARTS.get(item);
  if (known !== undefined) return known;
  const { name = "", input, structured } = item;
  const preview = input && viewInput(name, input);
  const parts = defined({
    preview,
    summary: summaryOf(name, input, preview),
    diff: viewDiff(structured),
    answers: name === "AskUserQuestion" ? answersOf(structured) : undefined,
  });
  KNOWN_PARTS.set(item, parts);
  return parts;
}

function summaryOf(
  name: string,
  input: ToolItem["input"],
  preview: InputPreview | undefined,
): string | undefined {
  const own = toolRow(name)?.summary;
  if (own !== undefined) return own(input ?? {});
  return preview && previewSummary(preview);
}

/** What a call would do, on one line. */
export function previewSummary({ body, rest }: InputPreview): string | undefined {
  switch (body.kind) {
    case "command":
      return firstLine(body.command);
    case "diff":
    case "file":
      return body.filePath;
    case "address":
      return body.url;
    case "search":
      return body.query;
    case "agent":
      return firstLine(rest.find(({ name }) => name === "description")?.text ?? body.prompt);
    case "plan":
      return firstLine(body.plan);
    case "questions":
      return body.questions[0]?.question;
    case "fields": {
      // A list or an object says nothing on one line.
      const plain = rest.find(({ text }) => !/^[[{]/.test(text));
      return plain && firstLine(plain.text);
    }
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function answersOf(structured: unknown): NamedText[] | undefined {
  const answers = objectOf(objectOf(structured)?.["answers"]);
  if (answers === undefined) return undefined;
  return Object.entries(answers).map(([name, answer]) => ({
    name,
    text: Array.isArray(answer) ? answer.map(showValue).join(", ") : showValue(answer),
  }));
}

type Result = NonNullable<ToolItem["result"]>;

function viewOutput({ output, isError, content }: Result, structured: unknown): ToolOutput {
  // The text is for the model: it says not to show it.
  const isLaunch = objectOf(structured)?.["status"] === "async_launched";
  const text = isLaunch ? "Started in the background" : output;
  return { text, isError, images: objectsOf(content).flatMap(imageOf) };
}

function imageOf(block: Readonly<Record<string, unknown>>): ToolImage[] {
  const source = objectOf(block["source"]);
  const mediaType = textOf(source?.["media_type"]);
  const data = textOf(source?.["data"]);
  if (block["type"] !== "image" || mediaType === undefined || data === undefined) return [];
  return [{ mediaType, data }];
}
