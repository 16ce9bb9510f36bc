/**
 * One line of a transcript to its place in the conversation and to what a live session would have
 * said for it. Which lines belong together is `transcript-order.ts`. Protocol reference §7.
 */
import { z } from "zod";
import { isOverlong, type Line } from "../base/lines.ts";
import { parseClaudeMessage } from "../claude/claude-line.ts";
import { routeTopLevelEvent } from "../routing/router.ts";
import { commandOutput } from "../routing/tool-results.ts";
import type { OutboundDraft } from "../types.ts";
import { fromTaskNotification } from "./task-notification-text.ts";

/** A line that has a place in a conversation, whether or not it says anything to a host. */
export type TranscriptLine = {
  readonly uuid: string;
  /** The line before it, also across a compaction. */
  readonly parent: string | undefined;
  readonly isSidechain: boolean;
  /** A host's message: a turn begins here. */
  readonly isUserPrompt: boolean;
  readonly isBoundary: boolean;
  readonly isSummary: boolean;
  /** The output of a change of the model by request, which a live session does not tell; so is its parent. */
  readonly isModelEcho: boolean;
  /** Claude's note that the Stop hooks ran. */
  readonly isStopNote: boolean;
  /** The answer of the model that this is a block of. */
  readonly messageId: string | undefined;
  readonly toolCalls: readonly string[];
  readonly toolResults: readonly string[];
  readonly messages: readonly OutboundDraft[];
};

const text = z.string();
const flag = z.boolean().optional().catch(undefined);
const id = text.nullish().catch(undefined);

const RawLine = z.looseObject({
  type: text,
  subtype: text.optional().catch(undefined),
  uuid: text.optional().catch(undefined),
  parentUuid: id,
  logicalParentUuid: id,
  isSidechain: flag,
  isMeta: flag,
  isCompactSummary: flag,
});
type RawLine = z.infer<typeof RawLine>;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Parses one line, of the main conversation or of the subagent of `lane`. Nothing: it has no place. */
export function parseTranscriptLine(
  line: Uint8Array,
  parentToolUseId?: string,
): TranscriptLine | "broken" | undefined {
  const raw = parseRawLine(line);
  if (raw === undefined) return "broken";
  const isMessage = raw.type === "user" || raw.type === "assistant";
  if (raw.uuid === undefined) return isMessage ? "broken" : undefined;
  const messages = messagesOf(raw, parentToolUseId);
  if (messages === undefined) return "broken";
  return {
    uuid: raw.uuid,
    parent: raw.parentUuid ?? raw.logicalParentUuid ?? undefined,
    isSidechain: raw.isSidechain === true,
    isUserPrompt: raw.type !== "attachment" && messages.some(isHistory),
    isBoundary: raw.subtype === "compact_boundary",
    isSummary: raw.isCompactSummary === true,
    isModelEcho: raw.type === "user" && isModelEchoIn(messages),
    isStopNote: raw.subtype === "stop_hook_summary",
    messageId: messageIdIn(messages),
    toolCalls: toolUseIdsIn(messages, "tool_use"),
    toolResults: toolUseIdsIn(messages, "tool_result"),
    messages,
  };
}

function messageIdIn([first]: readonly OutboundDraft[]): string | undefined {
  return first !== undefined && "msg_id" in first && typeof first.msg_id === "string"
    ? first.msg_id
    : undefined;
}

function toolUseIdsIn(
  messages: readonly OutboundDraft[],
  type: "tool_use" | "tool_result",
): string[] {
  return messages.flatMap((message) => (message.type === type ? [message.tool_use_id] : []));
}

function isModelEchoIn([first]: readonly OutboundDraft[]): boolean {
  return (
    first?.type === "user_text" &&
    first.kind === "command_output" &&
    first.text.startsWith("Set model to")
  );
}

function isHistory(message: OutboundDraft): boolean {
  return message.type === "user_text" && message.kind === "history";
}

/** Whether Claude finds a conversation in a transcript with this line: what a subagent does is none (all). */
export function isOfConversation(line: Line): boolean {
  const raw = isOverlong(line) ? undefined : parseRawLine(line);
  return (raw?.type === "user" || raw?.type === "assistant") && raw.isSidechain !== true;
}

/** The object of one line; nothing where it is not one with a type. */
export function parseRawLine(line: Uint8Array): RawLine | undefined {
  try {
    return RawLine.safeParse(JSON.parse(decoder.decode(line))).data;
  } catch {
    // A process that is killed leaves half a line: the caller counts it.
    return undefined;
  }
}

/** What Claude says to the model when a Stop hook sends it back to work; of what is for the model alone, only this is live. */
const STOP_FEEDBACK = "Stop hook feedback:";

/** What a live session says for a line; nothing at all for one that is ill-formed. */
function messagesOf(
  raw: RawLine,
  parentToolUseId: string | undefined,
): OutboundDraft[] | undefined {
  const messages =
    raw.isMeta === true ? routedMeta(raw, parentToolUseId) : fromLine(raw, parentToolUseId);
  return messages?.filter((message) => !isEmptyOutput(message));
}

function routedMeta(
  raw: RawLine,
  parentToolUseId: string | undefined,
): OutboundDraft[] | undefined {
  return routed(raw, parentToolUseId)?.filter(
    (message) => message.type === "user_text" && message.text.startsWith(STOP_FEEDBACK),
  );
}

/** What `/clear` leaves. */
function isEmptyOutput(message: OutboundDraft): boolean {
  return message.type === "user_text" && message.kind === "command_output" && message.text === "";
}

function fromLine(raw: RawLine, parentToolUseId: string | undefined): OutboundDraft[] | undefined {
  switch (raw.type) {
    case "assistant":
      return fromAssistantLine(raw, parentToolUseId);
    case "user":
      return fromUserLine(raw, parentToolUseId);
    case "attachment":
      return fromQueued(raw);
    case "system":
      return fromSystemLine(raw);
    default:
      return [];
  }
}

/** A line that is spelt as Claude prints it, through the rules for what Claude prints. */
function routed(spelt: object, parentToolUseId: string | undefined): OutboundDraft[] | undefined {
  const event = parseClaudeMessage({ ...spelt, parent_tool_use_id: parentToolUseId });
  return event.type === "unknown" ? undefined : [...routeTopLevelEvent(event).messages];
}

/** What V197 and V330 put where an answer is missing when they take a conversation up again. */
const PLACEHOLDER = "No response requested.";

function fromAssistantLine(
  raw: RawLine,
  parentToolUseId: string | undefined,
): OutboundDraft[] | undefined {
  return routed({ ...raw, error: errorOf(raw) }, parentToolUseId)?.filter(
    (message) =>
      message.type !== "user_text" ||
      message.kind !== "command_output" ||
      message.text !== PLACEHOLDER,
  );
}

function errorOf(raw: RawLine): unknown {
  return raw["error"] ?? (raw["isApiErrorMessage"] === true ? "unknown" : undefined);
}

const Block = z.looseObject({ type: text });
const Said = z.looseObject({ content: z.union([text, z.array(Block)]) });

function fromUserLine(
  raw: RawLine,
  parentToolUseId: string | undefined,
): OutboundDraft[] | undefined {
  const messages = routed({ ...raw, tool_use_result: raw["toolUseResult"] }, parentToolUseId);
  const said = Said.safeParse(raw["message"]).data?.content;
  if (messages === undefined || said === undefined) return undefined;
  if (typeof said === "string") {
    const notification = fromTaskNotification(said);
    if (notification !== undefined) return notification;
    if (isUnknownSkill(raw, said)) return [commandOutput(said, false)];
  }
  const isHosts = parentToolUseId === undefined && isFromPerson(raw, said, messages);
  return isHosts ? [fromUserPrompt(said, raw.uuid)] : messages;
}

/** V38 answers so to a command that it does not know; what a person says has a permission mode. */
function isUnknownSkill(raw: RawLine, said: string): boolean {
  return raw["permissionMode"] === undefined && /^Unknown skill: \S+$/.test(said);
}

/** Not a tool result, nor what Claude put in: a summary, a marker, the end of a task. */
function isFromPerson(
  raw: RawLine,
  said: string | readonly z.infer<typeof Block>[],
  messages: readonly OutboundDraft[],
): boolean {
  if (raw.isCompactSummary === true || (raw["origin"] ?? undefined) !== undefined) return false;
  if (typeof said !== "string" && said.some(({ type }) => type === "tool_result")) return false;
  return messages.every(
    (message) =>
      message.type === "unknown_event" ||
      (message.type === "user_text" && message.kind === "synthetic"),
  );
}

function fromUserPrompt(
  content: string | readonly z.infer<typeof Block>[],
  uuid: string | undefined,
): OutboundDraft {
  return {
    type: "user_text",
    text: typeof content === "string" ? asCommand(content) : textOf(content),
    kind: "history",
    ...(uuid !== undefined && { message_id: uuid }),
    ...(typeof content !== "string" && content.length > 1 && { content: [...content] }),
  };
}

function textOf(content: readonly z.infer<typeof Block>[]): string {
  const texts = content.map((block) => (block.type === "text" ? block["text"] : undefined));
  return texts.filter((part) => typeof part === "string").join("\n");
}

const COMMAND = /<command-name>([\s\S]*?)<\/command-name>/;
const COMMAND_ARGUMENTS = /<command-args>([\s\S]*?)<\/command-args>/;

/** A slash command as it was typed; any other text as it is. */
export function asCommand(said: string): string {
  const name = /^\s*<command-/.test(said) ? COMMAND.exec(said)?.[1] : undefined;
  if (name === undefined) return said;
  return `${name} ${COMMAND_ARGUMENTS.exec(said)?.[1] ?? ""}`.trim();
}

const Queued = z.looseObject({
  type: z.literal("queued_command"),
  prompt: z.union([text, z.array(Block)]),
  commandMode: z.literal("prompt"),
  source_uuid: text.optional().catch(undefined),
});

const QueuedNotification = z.looseObject({
  type: z.literal("queued_command"),
  prompt: text,
  commandMode: z.literal("task-notification"),
});

/** A host's message that Claude took up in the middle of a turn (§4c), where a line is one. */
export function queuedMessageOf(raw: RawLine): z.infer<typeof Queued> | undefined {
  return raw.type === "attachment" ? Queued.safeParse(raw["attachment"]).data : undefined;
}

function fromQueued(raw: RawLine): OutboundDraft[] {
  const queued = queuedMessageOf(raw);
  if (queued !== undefined) return [fromUserPrompt(queued.prompt, queued.source_uuid)];
  const notification = QueuedNotification.safeParse(raw["attachment"]).data;
  return fromTaskNotification(notification?.prompt ?? "") ?? [];
}

function fromSystemLine(raw: RawLine): OutboundDraft[] | undefined {
  switch (raw.subtype) {
    case "compact_boundary": {
      const compact_metadata = snakeCased(raw["compactMetadata"]);
      return routed({ type: raw.type, subtype: raw.subtype, compact_metadata }, undefined);
    }
    case "local_command":
      return fromLocalCommand(raw["content"]);
    default:
      return [];
  }
}

/** V197 has what was typed here, where it does not know the command. Live, an output is without blank edges. */
function fromLocalCommand(content: unknown): OutboundDraft[] | undefined {
  if (typeof content === "string" && content.startsWith("/"))
    return [fromUserPrompt(content, undefined)];
  return routed({ type: "user", message: { content } }, undefined)?.map((message) =>
    message.type === "user_text" ? { ...message, text: message.text.trim() } : message,
  );
}

/** The keys as Claude prints them; in transcripts they are in camel case. */
function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    snakeCased(inner),
  ]);
  return Object.fromEntries(entries);
}
