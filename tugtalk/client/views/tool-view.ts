/** One tool call: its name, its input, its changes, and its outcome. Pure. */

import { type Fields, objectOf, objectsOf, present, textOf } from "../claude-value.ts";
import type { ToolCallView, ToolImage, ToolOutput } from "../entry-models.ts";
import type { NamedText } from "../prompt-models.ts";
import type { ToolItem } from "../transcript-models.ts";
import { viewDiff } from "./diff-view.ts";
import { showInput } from "./input-preview.ts";
import { type Server, viewToolName } from "./tool-name.ts";
import { exitCodeOf, launchText } from "./tool-outputs.ts";
import { type InputPreview, toolRow } from "./tools.ts";
import { showValue } from "./visible-text.ts";

/** A call without the items of its agent. The same item and servers give an equal view. */
export function viewToolCall(item: ToolItem, servers: readonly Server[] = []): ToolCallView {
  const { key, name, status, partialInput, result, permission, elapsedSeconds, taskId } = item;
  const { preview, summary, diff, answers } = partsOf(item);
  return {
    kind: "tool",
    key,
    status,
    ...present({
      tool: name === undefined ? undefined : viewToolName(name, servers),
      summary,
      preview: diff === undefined ? preview : undefined,
      partialInput: preview === undefined ? partialInput : undefined,
      output: result && viewOutput(result, item.structured),
      exitCode: toolRow(name)?.rule === "command" ? exitCodeOf(item) : undefined,
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
  const shown = input && showInput(name, input);
  const own = toolRow(name)?.summary;
  const parts = present({
    preview: shown?.preview,
    summary: own === undefined ? shown?.summary : own(input ?? {}),
    diff: viewDiff(structured),
    answers: name === "AskUserQuestion" ? answersOf(structured) : undefined,
  });
  KNOWN_PARTS.set(item, parts);
  return parts;
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
  const text = launchText(structured) ?? output;
  return { text, isError, images: objectsOf(content).flatMap(imageOf) };
}

function imageOf(block: Fields): ToolImage[] {
  const source = objectOf(block["source"]);
  const mediaType = textOf(source?.["media_type"]);
  const data = textOf(source?.["data"]);
  if (block["type"] !== "image" || mediaType === undefined || data === undefined) return [];
  return [{ mediaType, data }];
}
