/**
 * The messages that a live session emits for what one line of a transcript records. Lines are rewritten to
 * what Claude prints and routed like it. Protocol reference §7, §15.
 */
import { z } from "zod";
import { fieldsOf, isJsonObject } from "../base/json.ts";
import { parseClaudeMessage } from "../claude/claude-line.ts";
import { routeTopLevelEvent } from "../routing/router.ts";
import { commandOutput } from "../routing/tool-results.ts";
import type { OutboundDraft } from "../types.ts";
import { PromptContent, queuedPromptOf, type RawLine } from "./raw-line.ts";

/** Undefined where the line is ill-formed. `parent_tool_use_id` names the call of a subagent. */
export function messagesOf(raw: RawLine): OutboundDraft[] | undefined {
  const messages = raw.isMeta === true ? routed(raw) : fromLine(raw);
  return messages?.filter((message) => isLive(raw, message));
}

/** Claude writes this for the model when a Stop hook sends it back to work. A live session emits it. */
const STOP_FEEDBACK = "Stop hook feedback:";

/** V197 and V330 write this for a missing answer when they resume. */
const PLACEHOLDER = "No response requested.";

/** Leaves out what is for the model alone, and empty output, such as that of `/clear`. */
function isLive(raw: RawLine, message: OutboundDraft): boolean {
  if (message.type !== "user_text") return raw.isMeta !== true;
  if (raw.isMeta === true && !message.text.startsWith(STOP_FEEDBACK)) return false;
  const isPlaceholder = raw.type === "assistant" && message.text === PLACEHOLDER;
  return message.kind !== "command_output" || (message.text !== "" && !isPlaceholder);
}

function fromLine(raw: RawLine): OutboundDraft[] | undefined {
  switch (raw.type) {
    case "assistant":
      return routed({ ...raw, error: errorOf(raw) });
    case "user":
      return fromUserLine(raw);
    case "attachment":
      return fromAttachment(raw);
    case "system":
      return fromSystemLine(raw);
    default:
      return [];
  }
}

/** The messages for an event as Claude prints it. */
function routed(event: object): OutboundDraft[] | undefined {
  const message = parseClaudeMessage(event);
  return message.type === "unknown" ? undefined : [...routeTopLevelEvent(message).messages];
}

function errorOf(raw: RawLine): unknown {
  return raw["error"] ?? (raw["isApiErrorMessage"] === true ? "unknown" : undefined);
}

const UserContent = z.looseObject({ content: PromptContent });

function fromUserLine(raw: RawLine): OutboundDraft[] | undefined {
  const messages = routed({ ...raw, tool_use_result: raw["toolUseResult"] });
  const content = UserContent.safeParse(raw["message"]).data?.content;
  if (messages === undefined || content === undefined) return undefined;
  if (typeof content === "string") {
    const notification = fromTaskNotification(content);
    if (notification !== undefined) return notification;
    if (isUnknownSkill(raw, content)) return [commandOutput(content, false)];
  }
  return isUserPrompt(raw, content, messages) ? [fromUserPrompt(content, raw.uuid)] : messages;
}

/** How V38 answers an unknown command. The text of a user has a permission mode. */
function isUnknownSkill(raw: RawLine, text: string): boolean {
  return raw["permissionMode"] === undefined && /^Unknown skill: \S+$/.test(text);
}

/** Excludes tool results, prompts of subagents, and what Claude inserts: summaries, markers, ends of tasks. */
function isUserPrompt(
  raw: RawLine,
  content: PromptContent,
  messages: readonly OutboundDraft[],
): boolean {
  if (raw["parent_tool_use_id"] !== undefined || raw.isCompactSummary === true) return false;
  if (isOfClaude(raw["origin"])) return false;
  if (typeof content !== "string" && content.some(({ type }) => type === "tool_result"))
    return false;
  return messages.every(
    (message) =>
      message.type === "unknown_event" ||
      (message.type === "user_text" && message.kind === "synthetic"),
  );
}

/** The Agent SDK marks the prompts of its users as well, as `human`. */
function isOfClaude(origin: unknown): boolean {
  return (origin ?? undefined) !== undefined && fieldsOf(origin)["kind"] !== "human";
}

function fromUserPrompt(content: PromptContent, uuid: string | undefined): OutboundDraft {
  return {
    type: "user_text",
    text: typeof content === "string" ? asCommand(content) : textOf(content),
    kind: "history",
    ...(uuid !== undefined && { message_id: uuid }),
    ...(typeof content !== "string" && content.length > 1 && { content: [...content] }),
  };
}

function textOf(content: Exclude<PromptContent, string>): string {
  const texts = content.map((block) => (block.type === "text" ? block["text"] : undefined));
  return texts.filter((part) => typeof part === "string").join("\n");
}

const COMMAND = /<command-name>([\s\S]*?)<\/command-name>/;
const COMMAND_ARGUMENTS = /<command-args>([\s\S]*?)<\/command-args>/;

/** A slash command as the user typed it; any other text unchanged. */
export function asCommand(text: string): string {
  const name = /^\s*<command-/.test(text) ? COMMAND.exec(text)?.[1] : undefined;
  if (name === undefined) return text;
  return `${name} ${COMMAND_ARGUMENTS.exec(text)?.[1] ?? ""}`.trim();
}

const QueuedNotification = z.looseObject({
  type: z.literal("queued_command"),
  prompt: z.string(),
  commandMode: z.literal("task-notification"),
});

function fromAttachment(raw: RawLine): OutboundDraft[] {
  const queued = queuedPromptOf(raw);
  if (queued !== undefined) return [fromUserPrompt(queued.prompt, queued.source_uuid)];
  const notification = QueuedNotification.safeParse(raw["attachment"]).data;
  return fromTaskNotification(notification?.prompt ?? "") ?? [];
}

const NOTIFICATION = /^<task-notification>\s*([\s\S]*?)<\/task-notification>/;
const FIELD = /<(task-id|tool-use-id|output-file|status|summary)>([\s\S]*?)<\/\1>/g;

/** The end of a background task, which the model reads as tags. Undefined for any other text. */
function fromTaskNotification(text: string): OutboundDraft[] | undefined {
  const body = NOTIFICATION.exec(text)?.[1];
  if (body === undefined) return undefined;
  const fields = [...body.matchAll(FIELD)].map(([, name = "", value]) => [
    name.replaceAll("-", "_"),
    value,
  ]);
  // Without an id or a status it is not a message.
  const event = { ...Object.fromEntries(fields), type: "system", subtype: "task_notification" };
  return routed(event) ?? [];
}

function fromSystemLine({ type, subtype, ...fields }: RawLine): OutboundDraft[] | undefined {
  switch (subtype) {
    case "compact_boundary":
      return routed({ type, subtype, compact_metadata: snakeCased(fields["compactMetadata"]) });
    case "local_command":
      return fromLocalCommand(fields["content"]);
    default:
      return [];
  }
}

/** V197 also writes an unknown command as it was typed. A live session emits output without blank edges. */
function fromLocalCommand(content: unknown): OutboundDraft[] | undefined {
  if (typeof content === "string" && content.startsWith("/"))
    return [fromUserPrompt(content, undefined)];
  return routed({ type: "user", message: { content } })?.map((message) =>
    message.type === "user_text" ? { ...message, text: message.text.trim() } : message,
  );
}

/** The keys as Claude prints them; transcripts have them in camel case. */
function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    snakeCased(inner),
  ]);
  return Object.fromEntries(entries);
}
