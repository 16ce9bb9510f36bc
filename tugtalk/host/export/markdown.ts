/** A transcript as Markdown, for people: complete, with each tool call and the work of its agent. Pure. */
import { agentItems, earlierCalls, mainItems } from "../../client/agent-items.ts";
import type { SessionInfo } from "../../client/host-api.ts";
import type {
  NoticeItem,
  ToolItem,
  ToolPermission,
  TranscriptEntry,
  TranscriptItem,
  Turn,
  UserItem,
} from "../../client/transcript-models.ts";
import { viewNotice } from "../../client/views/notice-view.ts";
import { blocks, closed, code, fenced, json, plain, quoted } from "./markdown-text.ts";

type Agents = TranscriptEntry["agents"];

/** The first part: the facts about the session. */
export function markdownHead(info: SessionInfo): string {
  const { title, dir, place, id, claude_session_id, model, cost_usd } = info;
  const facts = [
    `Folder: ${code(dir)}${place === "local" ? "" : ` on ${code(place)}`}`,
    `Session: ${code(id)}`,
    ...(claude_session_id === undefined ? [] : [`Conversation: ${code(claude_session_id)}`]),
    ...(model === undefined ? [] : [`Model: ${code(model)}`]),
    `Begun: ${timeOf(info.created_at)}; last change: ${timeOf(info.updated_at)}`,
    `Cost: ${dollars(cost_usd)}`,
  ];
  return blocks([`# ${plain(title) || "A session"}`, facts.map((fact) => `- ${fact}`).join("\n")]);
}

/** One turn, or an entry between two turns. An entry of an unknown shape is shown as JSON. */
export function markdownEntry(entry: TranscriptEntry): string {
  return orAsJson(entry, () => entryText(entry));
}

/**
 * The text of a value, or its JSON: a place may send any shape, and one message must not spoil the others.
 */
function orAsJson(value: unknown, text: () => string): string {
  try {
    return text();
  } catch {
    return blocks(["*Something that cannot be shown otherwise*", json(value)]);
  }
}

function entryText(entry: TranscriptEntry): string {
  const { agents } = entry;
  return blocks([
    "---",
    ...itemTexts(mainItems(entry), agents),
    ...earlierCalls(entry).flatMap((toolUseId) => agentText(toolUseId, agents)),
    ...(entry.kind === "turn" && entry.status !== "unknown" ? [turnEnd(entry)] : []),
  ]);
}

/** Texts of items. Consecutive items of Claude have one heading. */
function itemTexts(items: readonly TranscriptItem[], agents: Agents): string[] {
  let isClaudes = false;
  return items.flatMap((item) => {
    const text = orAsJson(item, () => itemText(item, agents));
    if (item.kind === "user") isClaudes = false;
    if (isClaudes || !["text", "thinking", "tool"].includes(item.kind)) return [text];
    isClaudes = true;
    return ["## Claude", text];
  });
}

function itemText(item: TranscriptItem, agents: Agents): string {
  switch (item.kind) {
    case "user":
      return userText(item);
    case "text":
      return blocks([
        closed(item.text),
        ...(item.status === "complete" ? [] : [`*${plain(item.status)}*`]),
      ]);
    case "thinking":
      return quoted(
        blocks(["*Thinking*", item.redacted === true ? "*kept by the API*" : closed(item.text)]),
      );
    case "tool":
      return toolText(item, agents);
    case "notice":
      return noticeText(item);
    case "unknown":
      return blocks([`*A message of the type ${code(item.type)}*`, json(item.message)]);
  }
}

function userText({ text, source, status, content }: UserItem): string {
  const isUnusual = status !== undefined && status !== "completed";
  return blocks([
    source === "host" ? "## User" : `## User (${plain(source)})`,
    closed(text),
    ...otherContent(content),
    ...(isUnusual ? [`*${plain(status)}*`] : []),
  ]);
}

function toolText(item: ToolItem, agents: Agents): string {
  const { name = "unknown", status, toolUseId, input, partialInput, result, permission } = item;
  return blocks([
    `**Tool ${code(name)}**: ${plain(status)}${permission === undefined ? "" : `; ${receipt(permission)}`}`,
    ...inputTexts(input, partialInput),
    ...(result === undefined ? [] : [result.isError ? "Error:" : "Result:", fenced(result.output)]),
    ...otherContent(result?.content),
    ...agentText(toolUseId, agents),
  ]);
}

function inputTexts(input: ToolItem["input"], partialInput: string | undefined): string[] {
  if (input === undefined) return partialInput === undefined ? [] : [fenced(partialInput)];
  const { command, ...rest } = input;
  if (typeof command !== "string") return [json(input)];
  return [fenced(command, "sh"), ...(Object.keys(rest).length === 0 ? [] : [json(rest)])];
}

/** The answer of a person to a permission prompt. */
function receipt({ outcome, reason, by, at }: ToolPermission): string {
  const details = [
    ...(by === undefined ? [] : [`by ${plain(by)}`]),
    ...(at === undefined ? [] : [timeOf(at)]),
    ...(reason === undefined ? [] : [plain(reason)]),
  ];
  return `asked: ${plain(outcome)}${details.length === 0 ? "" : ` (${details.join(", ")})`}`;
}

/** The work of an agent as a quotation, which quotes the work of its own agents. */
function agentText(toolUseId: string, agents: Agents): string[] {
  const agent = agentItems(agents, toolUseId);
  if (agent === undefined) return [];
  return [quoted(blocks(["*Agent*", ...itemTexts(agent.items, agent.agents)]))];
}

function noticeText({ notice }: NoticeItem): string {
  const { severity, text, detail, report } = viewNotice(notice);
  const sentence = `**${severity === "info" ? "Note" : severity === "error" ? "Error" : "Warning"}**: ${plain(text)}`;
  return blocks([
    sentence,
    ...(report === undefined ? [] : [quoted(report)]),
    ...(detail === undefined ? [] : [fenced(detail)]),
  ]);
}

function turnEnd({ status, cost, end }: Turn): string {
  const facts = [
    `Turn: ${plain(status)}${end?.subtype === undefined || end.subtype === status ? "" : ` (${plain(end.subtype)})`}`,
    ...(cost?.costUsd === undefined ? [] : [dollars(cost.costUsd)]),
    ...(cost?.durationMs === undefined ? [] : [`${(cost.durationMs / 1000).toFixed(1)} s`]),
  ];
  return blocks([`*${facts.join(" · ")}*`, ...(end?.errors ?? []).map((error) => fenced(error))]);
}

/** Images and documents by name only: the JSON has their data. */
function otherContent(content: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(content) ? content : [];
  const types = list.flatMap((block) =>
    typeof block === "object" && block !== null && "type" in block ? [String(block.type)] : [],
  );
  return types.filter((type) => type !== "text").map((type) => `*[${plain(type)}]*`);
}

function timeOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "an unknown time" : date.toISOString();
}

function dollars(usd: number): string {
  return `$${Number(usd).toFixed(4)}`;
}
