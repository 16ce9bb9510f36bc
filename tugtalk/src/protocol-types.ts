/**
 * A schema for each kind of line of Claude that tugtalk acts on. Loose, because Claude owns these shapes:
 * unknown fields pass through, and a line of an unknown kind is kept whole. Protocol reference §3, §5, §9.
 */
import { z } from "zod";
import { jsonObject } from "./base/json-schemas.ts";
import { line, nullish, optional, systemLine, variant } from "./messages/claude-fields.ts";
import { COMPACTION_FIELDS } from "./messages/content-messages.ts";
import {
  AssistantMessage,
  StreamEventMessage,
  Usage,
  UserMessage,
} from "./messages/conversation-lines.ts";
import { number, text } from "./messages/message-schemas.ts";
import type { Notification } from "./messages/notifications.ts";
import {
  DIALOG_FIELDS,
  ELICITATION_FIELDS,
  PERMISSION_FIELDS,
} from "./messages/prompt-messages.ts";
import { SYSTEM_FIELDS } from "./messages/session-messages.ts";
import { SubagentStats } from "./messages/turn-messages.ts";

/** Printed at the start of every turn; each replaces the one before (§3a). */
export const SystemInitMessage = systemLine("init", SYSTEM_FIELDS);

/** Compaction, the start of a model call, or a change of the permission mode (§3f). */
export const StatusMessage = systemLine("status", {
  status: nullish(text),
  permissionMode: optional(text),
  user_message_uuids: optional(z.array(text)),
  compact_result: optional(text),
  compact_error: optional(text),
});

/** The conversation was compacted (§17). */
export const CompactBoundaryMessage = systemLine("compact_boundary", {
  compact_metadata: optional(
    z.looseObject({
      ...COMPACTION_FIELDS,
      /** The newest lines, which stay in the conversation. */
      preserved_messages: optional(z.looseObject({ all_uuids: optional(z.array(text)) })),
    }),
  ),
});
export type CompactBoundaryMessage = z.infer<typeof CompactBoundaryMessage>;

/** Protocol reference §12. */
export const ModelUsage = z
  .looseObject({
    inputTokens: number.optional().describe("Input that was not cached."),
    outputTokens: number.optional().describe("Output, with thinking."),
    maxOutputTokens: number.optional().describe("The most output tokens of one call."),
    contextWindow: number.optional().describe("The most tokens that the model takes."),
    cacheReadInputTokens: number.optional().describe("Input that was read from the cache."),
    cacheCreationInputTokens: number.optional().describe("Input that was written to the cache."),
    costUSD: number.optional().describe("Costs in US dollars."),
  })
  .meta({
    id: "ModelUsage",
    description: "Tokens and costs of one model. Further fields of Claude pass through.",
  });
export type ModelUsage = z.infer<typeof ModelUsage>;

/** The end of a turn. An API error has `is_error` with the subtype `success` (§3d). */
export const ResultMessage = line("result", {
  subtype: text,
  /** Present in every measured CLI. */
  is_error: z.boolean().catch(false),
  result: optional(text),
  errors: optional(z.array(text)),
  total_cost_usd: optional(number),
  num_turns: optional(number),
  duration_ms: optional(number),
  duration_api_ms: optional(number),
  usage: optional(Usage),
  modelUsage: optional(z.record(z.string(), ModelUsage)),
  model_usage_since_last_result: optional(z.record(z.string(), ModelUsage)),
  permission_denials: optional(z.array(z.looseObject({ tool_name: text, tool_use_id: text }))),
  api_error_status: nullish(number),
  api_error_type: nullish(text),
  ttft_ms: optional(number),
  ttft_stream_ms: optional(number),
  time_to_request_ms: optional(number),
  first_content_frame_ms: optional(number),
  subagent_stats: optional(SubagentStats),
  terminal_reason: nullish(text),
  stop_reason: nullish(text),
  structured_output: z.unknown().optional(),
  origin: nullish(z.looseObject({ kind: text })),
});
export type ResultMessage = z.infer<typeof ResultMessage>;

const destination = text.describe(
  "Where the change is stored: `session`, `localSettings`, `projectSettings`, `userSettings`, `cliArg`.",
);
const behavior = z.enum(["allow", "deny", "ask"]).describe("The effect of the rules.");
const PermissionRule = z
  .looseObject({
    toolName: text.describe("The tool."),
    ruleContent: text
      .optional()
      .describe("Which calls, such as `git status:*`. Absent: all calls of the tool."),
  })
  .meta({ id: "PermissionRule", description: "A permission rule." });
const rules = z.array(PermissionRule).describe("The rules.");
const directories = z.array(text).describe("Paths of folders that tools may use.");

function suggestion<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  description: string,
  fields: Fields,
) {
  return z.looseObject({ type: z.literal(type).describe(description), destination }).extend(fields);
}

const KnownSuggestion = z.discriminatedUnion("type", [
  suggestion("addRules", "Adds rules.", { behavior, rules }),
  suggestion("replaceRules", "Replaces all rules of the behavior.", { behavior, rules }),
  suggestion("removeRules", "Removes rules.", { behavior, rules }),
  suggestion("setMode", "Changes the permission mode.", { mode: text.describe("The mode.") }),
  suggestion("addDirectories", "Adds folders.", { directories }),
  suggestion("removeDirectories", "Removes folders.", { directories }),
]);

const KNOWN_SUGGESTIONS: readonly string[] = KnownSuggestion.options.map(
  (schema) => schema.shape.type.value,
);

const UnknownSuggestion = z.looseObject({
  type: text
    .refine((type) => !KNOWN_SUGGESTIONS.includes(type))
    .meta({ not: { enum: KNOWN_SUGGESTIONS }, description: "A kind of a newer Claude." }),
});

/** Protocol reference §5a. */
export const PermissionSuggestion = z.union([KnownSuggestion, UnknownSuggestion]).meta({
  id: "PermissionSuggestion",
  description:
    "A change of the permission rules that a person may accept with an approval, so that the same prompt is not repeated. One of an unknown kind passes through in both directions.",
});
export type PermissionSuggestion = z.infer<typeof PermissionSuggestion>;

/** Claude requests permission to run a tool (§5a). */
export const PermissionRequest = z.looseObject({
  subtype: z.literal("can_use_tool"),
  ...PERMISSION_FIELDS,
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

/** An MCP server requests data from a person (§21). */
export const ElicitationAsk = z.looseObject({
  subtype: z.literal("elicitation"),
  ...ELICITATION_FIELDS,
});
export type ElicitationAsk = z.infer<typeof ElicitationAsk>;

/** Claude requests a dialog of a kind that was declared in `initialize`. */
export const DialogAsk = z.looseObject({
  subtype: z.literal("request_user_dialog"),
  ...DIALOG_FIELDS,
});
export type DialogAsk = z.infer<typeof DialogAsk>;

const QuestionOption = z
  .looseObject({
    label: text.describe("The answer, for `answers` of `question_answer`."),
    description: text.optional().describe("Its meaning."),
    preview: nullish(text).describe(
      "Markdown to show beside it: a sketch, some code. Since Claude 2.1.197.",
    ),
  })
  .meta({ id: "QuestionOption", description: "One answer to choose." });

const Question = z
  .looseObject({
    question: text.describe("The full text, which is its key in `answers` of `question_answer`."),
    header: text.optional().describe("A short title."),
    multiSelect: z
      .boolean()
      .optional()
      .describe("True: several answers may be chosen. Absent: one."),
    options: z
      .array(QuestionOption)
      .optional()
      .describe("The answers to choose from, two to four. A free text is always possible, too."),
  })
  .meta({ id: "Question", description: "One question of a prompt." });

/** Protocol reference §5d. */
export const AskUserQuestionInput = z
  .looseObject({ questions: z.array(Question).describe("The questions, one to four.") })
  .meta({
    id: "AskUserQuestionInput",
    description: "`input` of a `control_request_forward` whose `is_question` is true.",
  });
export type AskUserQuestionInput = z.infer<typeof AskUserQuestionInput>;

/** A request of Claude (§5a, §19). */
export const ControlRequest = variant("control_request", {
  request_id: text,
  request: z.looseObject({ subtype: text }),
});
export type ControlRequest = z.infer<typeof ControlRequest>;

/** The fields of a request that are needed to refuse it. */
export const RequestHead = z.object({
  type: z.literal("control_request"),
  request_id: text,
  request: z.object({ subtype: text }),
});

/** The response to a request of tugtalk, or the echo of a response of tugtalk (§5b). */
export const ControlResponse = variant("control_response", {
  response: z.looseObject({
    subtype: z.enum(["success", "error"]),
    request_id: text.optional(),
    response: nullish(jsonObject),
    error: optional(text),
    error_code: optional(text),
  }),
});
export type ControlResponse = z.infer<typeof ControlResponse>;

/** A line that no schema accepts. */
export type UnknownLine = {
  readonly type: "unknown";
  readonly original_type: string;
  readonly original_subtype?: string;
  readonly raw: unknown;
};

/** The schema of each kind that tugtalk understands: `type`, or `type/subtype` for `system`. */
export const CLAUDE_LINES = {
  "system/init": SystemInitMessage,
  "system/status": StatusMessage,
  "system/compact_boundary": CompactBoundaryMessage,
  assistant: AssistantMessage,
  user: UserMessage,
  result: ResultMessage,
  stream_event: StreamEventMessage,
  control_request: ControlRequest,
  control_response: ControlResponse,
  /** Claude withdraws a request. */
  control_cancel_request: variant("control_cancel_request", { request_id: text }),
  /** Printed while nothing else happens. */
  keep_alive: variant("keep_alive", {}),
  /** A copy of lines of the transcript, enabled by `--session-mirror`. */
  transcript_mirror: variant("transcript_mirror", {}),
} as const;

export type ClaudeLineKind = keyof typeof CLAUDE_LINES;

/** A line of one of these kinds. */
export type ClaudeLine<Kind extends ClaudeLineKind = ClaudeLineKind> = z.infer<
  (typeof CLAUDE_LINES)[Kind]
>;

/** One parsed line of Claude. */
export type ClaudeMessage = ClaudeLine | Notification | UnknownLine;
