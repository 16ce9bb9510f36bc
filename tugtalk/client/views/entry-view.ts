/** A turn of the transcript as a tree. Pure. */
import type {
  EntryView,
  ToolImage,
  ToolOutput,
  ToolView,
  TranscriptNode,
} from "../../src/messages/entry-models.ts";
import type { InputPreview, NamedText } from "../../src/messages/prompt-models.ts";
import type {
  ToolItem,
  TranscriptEntry,
  TranscriptItem,
} from "../../src/messages/transcript-models.ts";
import { defined, entryIn, objectOf, objectsOf, textOf } from "../claude-value.ts";
import { viewDiff } from "./diff-view.ts";
import { viewInput } from "./input-preview.ts";
import { viewNotice } from "./notice-view.ts";
import { viewToolName } from "./tool-name.ts";
import { showValue } from "./visible-text.ts";

type Server = { readonly name: string };
type Agents = TranscriptEntry["agents"];

/**
 * An entry with the conversation of each agent inside the tool call that started it. The same entry and
 * servers give an equal view, so that a page can keep the view for as long as the two are identical.
 */
export function viewEntry(entry: TranscriptEntry, servers: readonly Server[] = []): EntryView {
  const { items, agents, ...rest } = entry;
  const seen = new Set([...items, ...Object.values(agents).flat()].map(({ key }) => key));
  // The call of an agent that goes on in the background may be in an earlier entry.
  const unseen = Object.keys(agents).filter((toolUseId) => !seen.has(toolUseId));
  const shown = [...items, ...unseen.map(unseenCall)];
  return { ...rest, nodes: shown.map((item) => viewItem(item, agents, servers)) };
}

function unseenCall(toolUseId: string): ToolItem {
  return { kind: "tool", key: toolUseId, toolUseId, status: "running" };
}

function viewItem(
  item: TranscriptItem,
  agents: Agents,
  servers: readonly Server[],
): TranscriptNode {
  switch (item.kind) {
    case "tool":
      return viewTool(item, agents, servers);
    case "notice":
      return { kind: "notice", key: item.key, notice: viewNotice(item.notice) };
    default:
      return item;
  }
}

function viewTool(item: ToolItem, agents: Agents, servers: readonly Server[]): ToolView {
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
    children: viewChildren(item.toolUseId, agents, servers),
  };
}

function viewChildren(
  toolUseId: string,
  agents: Agents,
  servers: readonly Server[],
): readonly TranscriptNode[] {
  const children = entryIn(agents, toolUseId);
  if (children === undefined) return [];
  // An agent that names itself as its parent must not be followed for ever.
  const others = { ...agents, [toolUseId]: [] };
  return children.map((child) => viewItem(child, others, servers));
}

type ToolParts = {
  readonly preview?: InputPreview;
  readonly summary?: string;
  readonly diff?: ToolView["diff"];
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
    summary: preview && summaryOf(preview),
    diff: viewDiff(structured),
    answers: name === "AskUserQuestion" ? answersOf(structured) : undefined,
  });
  KNOWN_PARTS.set(item, parts);
  return parts;
}

function summaryOf({ body, rest }: InputPreview): string | undefined {
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
