/** Schemas of the transcript: turns, and the texts, tool calls and notices in them. */
import { z } from "zod";
import { PermissionSuggestion } from "../../src/protocol-types.ts";
import { anyObject } from "./any-object.ts";

const text = z.string();
const integer = z.int();
const number = z.number();
const flag = z.boolean();

const UserItem = z.object({
  kind: z.literal("user"),
  key: text,
  text,
  source: text.describe("Who wrote it: `host`, `cli`, an agent, …"),
  content: z.array(z.unknown()).optional(),
  messageId: text.optional(),
  status: text.optional().describe("The latest receipt of the message."),
  isError: flag.optional(),
});

const BlockItem = z.object({
  kind: z.union([z.literal("text"), z.literal("thinking")]),
  key: text,
  msgId: text,
  blockIndex: integer,
  text,
  status: z.enum(["streaming", "complete", "abandoned"]),
  synthetic: flag.optional().describe("Made by the CLI, not by a model."),
  redacted: flag.optional(),
  isError: flag.optional(),
  error: text.optional(),
  stopReason: text.optional(),
});

export const PromptEnd = z
  .object({
    requestId: text,
    toolUseId: text.optional(),
    outcome: text.describe("`allow`, `deny`, …, or `cancelled`."),
    reason: text.optional().describe("Why it was cancelled."),
    by: text.optional().describe("The client that answered."),
    at: integer.optional(),
    updatedPermissions: z.array(PermissionSuggestion).optional(),
  })
  .meta({ id: "PromptEnd", description: "How a prompt ended." });

const ToolItem = z.object({
  kind: z.literal("tool"),
  key: text,
  toolUseId: text,
  msgId: text.optional(),
  blockIndex: integer.optional(),
  name: text.optional(),
  status: z
    .enum(["streaming", "running", "waiting", "done", "failed", "denied", "abandoned"])
    .describe("`waiting`: a person is asked."),
  input: anyObject.optional(),
  partialInput: text.optional(),
  result: z.object({ output: text, isError: flag, content: z.unknown().optional() }).optional(),
  structured: z.unknown().optional().describe("Claude's `tool_use_result`."),
  elapsedSeconds: number.optional(),
  permission: PromptEnd.optional(),
  taskId: text.optional(),
  stopReason: text.optional(),
});

const NOTICES = [
  "retry",
  "rate_limit",
  "compaction",
  "model_fallback",
  "permission_denied",
  "task",
  "session",
  "exit",
  "rewind",
  "message",
  "error",
  "text",
] as const;

const NoticeItem = z.object({
  kind: z.literal("notice"),
  key: text,
  notice: z.looseObject({ kind: z.enum(NOTICES) }),
});

const UnknownItem = z.object({
  kind: z.literal("unknown"),
  key: text,
  type: text,
  message: anyObject,
});

const TranscriptItem = z
  .discriminatedUnion("kind", [UserItem, BlockItem, ToolItem, NoticeItem, UnknownItem])
  .meta({ id: "TranscriptItem", description: "A part of the transcript." });

const entryFields = {
  key: text,
  items: z.array(TranscriptItem).describe("The main conversation, in order."),
  agents: z
    .record(text, z.array(TranscriptItem))
    .describe("The items of each agent, by the tool call that has started it."),
  isForgotten: z.literal(true).optional().describe("Claude no longer knows it."),
  isPutBack: z.literal(true).optional().describe("Its files were put back."),
};

const TurnEnd = z.object({
  subtype: text,
  isError: flag,
  errors: z.array(text).optional(),
  stopReason: text.optional(),
  terminalReason: text.optional(),
  structuredOutput: z.unknown().optional(),
  apiErrorStatus: number.optional(),
});

const TurnCost = z.object({
  costUsd: number.optional(),
  durationMs: number.optional(),
  numTurns: number.optional(),
  inputTokens: number.optional(),
  outputTokens: number.optional(),
  cacheReadTokens: number.optional(),
  cacheCreationTokens: number.optional(),
});

const Turn = z.object({
  kind: z.literal("turn"),
  ...entryFields,
  turnId: text,
  trigger: text,
  messageIds: z.array(text),
  sentAt: integer.optional(),
  afterLimit: z.object({ messageId: text, again: text.optional() }).optional(),
  status: text.describe("`running`, or how it ended: `success`, `error`, `cancelled`, …"),
  end: TurnEnd.optional(),
  cost: TurnCost.optional(),
  model: text.optional(),
});

const Interlude = z.object({ kind: z.literal("interlude"), ...entryFields });

export const TranscriptEntry = z
  .discriminatedUnion("kind", [Turn, Interlude])
  .meta({ id: "TranscriptEntry", description: "A turn, or what happened between two turns." });
