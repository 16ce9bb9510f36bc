/**
 * A schema for each kind of line of Claude that tugtalk acts on. Loose, because Claude owns these shapes:
 * unknown fields pass through, and a line of an unknown kind is kept whole. Protocol reference §3, §5, §9.
 */
import { z } from "zod";
import { jsonObject } from "./base/json.ts";
import {
  fields,
  line,
  nullish,
  number,
  optional,
  systemLine,
  text,
  variant,
} from "./messages/claude-fields.ts";
import {
  AssistantMessage,
  StreamEventMessage,
  Usage,
  UserMessage,
} from "./messages/conversation-lines.ts";
import type { Notification } from "./messages/notifications.ts";
import { dialogFields, elicitationFields } from "./messages/prompt-messages.ts";

/** Printed at the start of every turn; each replaces the one before (§3a, D04). */
export const SystemInitMessage = systemLine("init", {
  session_id: text,
  ...fields(optional(text), "cwd", "model", "permissionMode", "claude_code_version"),
  ...fields(optional(text), "apiKeySource", "output_style", "fast_mode_state"),
  ...fields(optional(z.array(text)), "tools", "slash_commands", "agents", "skills"),
  plugins: optional(z.array(z.unknown())),
  mcp_servers: optional(z.array(z.looseObject({ name: text, status: text }))),
});

/** Compaction, the start of a model call, or a change of the permission mode (§3f). */
export const StatusMessage = systemLine("status", {
  status: nullish(text),
  permissionMode: optional(text),
  user_message_uuids: optional(z.array(text)),
});

/** The conversation was compacted (§17). */
export const CompactBoundaryMessage = systemLine("compact_boundary", {
  compact_metadata: optional(
    z.looseObject({
      trigger: text.optional(),
      pre_tokens: number.optional(),
      post_tokens: number.optional(),
    }),
  ),
});

/** One hunk of a unified diff; each line begins with a space, `-` or `+`. */
export const StructuredPatchHunk = z.looseObject({
  oldStart: number,
  oldLines: number,
  newStart: number,
  newLines: number,
  lines: z.array(text),
});
export type StructuredPatchHunk = z.infer<typeof StructuredPatchHunk>;

/** `tool_use_result` of Edit (§9b). */
export const EditToolResult = z.looseObject({
  filePath: text,
  oldString: text,
  newString: text,
  originalFile: text.nullable(),
  structuredPatch: z.array(StructuredPatchHunk),
  userModified: z.boolean(),
  replaceAll: z.boolean(),
});

/** `tool_use_result` of Write (§9c). `update` means that the file existed. */
export const WriteToolResult = z.looseObject({
  type: z.enum(["create", "update"]),
  filePath: text,
  content: text,
  structuredPatch: z.array(StructuredPatchHunk),
  originalFile: text.nullable(),
});

/** Costs of one model since the process started (§12). */
export const ModelUsage = z.looseObject({
  ...fields(number.optional(), "inputTokens", "outputTokens", "maxOutputTokens", "contextWindow"),
  ...fields(number.optional(), "cacheReadInputTokens", "cacheCreationInputTokens", "costUSD"),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** The end of a turn. An API error has `is_error` with the subtype `success` (§3d, PN-2). */
export const ResultMessage = line("result", {
  subtype: text,
  /** Present in every measured CLI. */
  is_error: z.boolean().catch(false),
  result: optional(text),
  errors: optional(z.array(text)),
  ...fields(optional(number), "total_cost_usd", "num_turns", "duration_ms", "duration_api_ms"),
  usage: optional(Usage),
  modelUsage: optional(z.record(z.string(), ModelUsage)),
  model_usage_since_last_result: optional(z.record(z.string(), ModelUsage)),
  permission_denials: optional(z.array(z.looseObject({ tool_name: text, tool_use_id: text }))),
  api_error_status: nullish(number),
  terminal_reason: nullish(text),
  stop_reason: nullish(text),
  structured_output: z.unknown().optional(),
  origin: nullish(z.looseObject({ kind: text })),
});
export type ResultMessage = z.infer<typeof ResultMessage>;

/** Where an accepted suggestion is stored: session, localSettings, projectSettings, … */
const destination = text;
const behavior = z.enum(["allow", "deny", "ask"]);
const PermissionRule = z.looseObject({ toolName: text, ruleContent: text.optional() });
const rules = z.array(PermissionRule);
const directories = z.array(text);

const KnownSuggestion = z.discriminatedUnion("type", [
  variant("addRules", { destination, behavior, rules }),
  variant("replaceRules", { destination, behavior, rules }),
  variant("removeRules", { destination, behavior, rules }),
  variant("setMode", { destination, mode: text }),
  variant("addDirectories", { destination, directories }),
  variant("removeDirectories", { destination, directories }),
]);

const KNOWN_SUGGESTIONS: readonly string[] = KnownSuggestion.options.map(
  (schema) => schema.shape.type.value,
);

/**
 * A change of the permission rules that a person may accept with an approval, so that the same prompt
 * is not repeated (§5a, PN-7). One of an unknown kind passes through in both directions.
 */
export const PermissionSuggestion = z.union([
  KnownSuggestion,
  z.looseObject({ type: text.refine((type) => !KNOWN_SUGGESTIONS.includes(type)) }),
]);
export type PermissionSuggestion = z.infer<typeof PermissionSuggestion>;

/** Claude requests permission to run a tool (§5a). */
export const PermissionRequest = z.looseObject({
  subtype: z.literal("can_use_tool"),
  tool_name: text,
  input: jsonObject,
  tool_use_id: optional(text),
  agent_id: optional(text),
  permission_suggestions: nullish(z.array(z.looseObject({ type: text }))),
  blocked_path: nullish(text),
  decision_reason: nullish(text),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

/** An MCP server requests data from a person (§21). */
export const ElicitationAsk = z.looseObject({
  subtype: z.literal("elicitation"),
  ...elicitationFields,
});
export type ElicitationAsk = z.infer<typeof ElicitationAsk>;

/** Claude requests a dialog of a kind that was declared in `initialize`. */
export const DialogAsk = z.looseObject({
  subtype: z.literal("request_user_dialog"),
  ...dialogFields,
});
export type DialogAsk = z.infer<typeof DialogAsk>;

/** The input of an AskUserQuestion prompt (§5d). */
export const AskUserQuestionInput = z.looseObject({
  questions: z.array(
    z.looseObject({
      question: text,
      header: text.optional(),
      multiSelect: z.boolean().optional(),
      options: z.array(z.looseObject({ label: text, description: text.optional() })).optional(),
    }),
  ),
});
export type AskUserQuestionInput = z.infer<typeof AskUserQuestionInput>;

/** Claude calls a hook of the host, which no host can declare (§22). */
export const HookCallback = z.looseObject({
  subtype: z.literal("hook_callback"),
  input: z.looseObject({ hook_event_name: text }),
});

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

/** One parsed line of Claude. */
export type ClaudeMessage =
  | z.infer<(typeof CLAUDE_LINES)[keyof typeof CLAUDE_LINES]>
  | Notification
  | UnknownLine;
