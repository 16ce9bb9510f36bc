/**
 * The messages that a live session emits for the event in one line of a transcript. The line is rewritten as
 * Claude prints the event, and routed like a line of Claude. Protocol reference §7, §15.
 */
import { z } from "zod";
import { isJsonObject } from "../base/json.ts";
import { parseClaudeMessage } from "../claude/claude-line.ts";
import { commandOutput, parseOutput } from "../routing/local-commands.ts";
import { routeTopLevelEvent } from "../routing/router.ts";
import type { OutboundDraft } from "../types.ts";
import { sourceOf } from "./line-source.ts";
import { hasToolResult, PromptContent, queuedPromptOf, type RawLine } from "./raw-line.ts";

/** Undefined where the line is ill-formed. `parent_tool_use_id` names the call of a subagent. */
export function messagesOf(raw: RawLine): OutboundDraft[] | undefined {
  const messages = raw.isMeta === true ? routed(raw) : fromLine(raw);
  return messages?.filter((message) => isLive(raw, message));
}

/** Claude writes this for the model when a Stop hook sends it back to work. A live session emits it. */
const STOP_FEEDBACK = "Stop hook feedback:";

/** V197 and V330 write this for a missing answer when they resume. */
const PLACEHOLDER = "No response requested.";

/** Leaves out texts for the model alone, and empty output, for example of `/clear`. */
function isLive(raw: RawLine, message: OutboundDraft): boolean {
  if (message.type !== "user_text") return raw.isMeta !== true;
  if (raw.isMeta === true && !message.text.startsWith(STOP_FEEDBACK)) return false;
  const isPlaceholder = raw.type === "assistant" && message.text === PLACEHOLDER;
  return message.kind !== "command_output" || (message.text !== "" && !isPlaceholder);
}

function fromLine(raw: RawLine): OutboundDraft[] | undefined {
  switch (raw.type) {
    case "assistant":
      return routed({ ...raw, error: errorOf(raw), api_error_type: raw["apiErrorType"] });
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
  return message.type === "unknown" ? undefined : [...routeTopLevelEvent(message)];
}

function errorOf(raw: RawLine): unknown {
  return raw["error"] ?? (raw["isApiErrorMessage"] === true ? "unknown" : undefined);
}

const UserContent = z.looseObject({ content: PromptContent });

function fromUserLine(raw: RawLine): OutboundDraft[] | undefined {
  const content = UserContent.safeParse(raw["message"]).data?.content;
  if (content === undefined) return undefined;
  const tool_result_meta = resultMetaOf(raw, content);
  const messages = routed({ ...raw, tool_use_result: raw["toolUseResult"], tool_result_meta });
  if (messages === undefined) return undefined;
  switch (sourceOf(raw, content)) {
    case "prompt":
      return [fromUserPrompt(content, raw.uuid)];
    case "command":
      return [fromUserPrompt(asTyped(content), raw.uuid)];
    case "output":
      return [fromOutput(textOf(content))];
    case "task":
      return fromTaskNotification(content) ?? messages;
    case "subagent":
      // Claude prints its prompt, a plain text here, and its tool results, but no interrupt marker.
      return typeof content === "string" || hasToolResult(content) ? messages : [];
    case "claude":
      return messages;
  }
}

function fromUserPrompt(content: PromptContent, uuid: string | undefined): OutboundDraft {
  return {
    type: "user_text",
    text: textOf(content),
    kind: "history",
    ...(uuid !== undefined && { message_id: uuid }),
    ...(typeof content !== "string" && !isOneText(content) && { content: [...content] }),
  };
}

function isOneText(content: Exclude<PromptContent, string>): boolean {
  return content.length === 1 && content[0]?.type === "text";
}

function textOf(content: PromptContent): string {
  if (typeof content === "string") return content;
  const texts = content.map((block) => (block.type === "text" ? block["text"] : undefined));
  return texts.filter((part) => typeof part === "string").join("\n");
}

const COMMAND = /<command-name>([\s\S]*?)<\/command-name>/;
const COMMAND_ARGUMENTS = /<command-args>([\s\S]*?)<\/command-args>/;

/** A slash command as the user typed it. */
function asTyped(content: PromptContent): string {
  const text = textOf(content);
  const name = COMMAND.exec(text)?.[1];
  return name === undefined ? text : `${name} ${COMMAND_ARGUMENTS.exec(text)?.[1] ?? ""}`.trim();
}

/** Output without tags is the answer of V38 to an unknown command. */
function fromOutput(text: string) {
  return parseOutput(text) ?? commandOutput(text, false);
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
/** The report of a subagent. */
const REPORT = /<result>([\s\S]+)<\/result>/;

/** The end of a background task, which the model reads as tags. Undefined for any other text. */
function fromTaskNotification(content: PromptContent): OutboundDraft[] | undefined {
  const body = NOTIFICATION.exec(textOf(content))?.[1];
  if (body === undefined) return undefined;
  const fields = [...body.matchAll(FIELD)].map(([, name = "", value]) => [
    name.replaceAll("-", "_"),
    value,
  ]);
  const report = REPORT.exec(body)?.[1];
  // Without an id or a status it is not a message.
  const event = {
    ...Object.fromEntries(fields),
    // In a live session the summary is the report, in place of the words about the end.
    ...(report !== undefined && { summary: withoutEntities(report), summary_is_report: true }),
    type: "system",
    subtype: "task_notification",
  };
  return routed(event) ?? [];
}

function withoutEntities(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
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
  if (typeof content !== "string") return undefined;
  if (content.startsWith("/")) return [fromUserPrompt(content, undefined)];
  const output = fromOutput(content);
  return [{ ...output, text: output.text.trim() }];
}

/** The permission of a call as V330 keeps and prints it. A line has one result. */
function resultMetaOf(raw: RawLine, content: PromptContent): readonly object[] | undefined {
  const { permissionDecision, toolDenialKind: non_execution_kind } = raw;
  if (permissionDecision === undefined && non_execution_kind === undefined) return undefined;
  if (typeof content === "string") return undefined;
  const permission_decision = snakeCased(permissionDecision);
  return content.flatMap(({ type, tool_use_id: id }) =>
    type === "tool_result" ? [{ id, permission_decision, non_execution_kind }] : [],
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
