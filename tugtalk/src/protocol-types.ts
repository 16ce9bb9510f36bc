/**
 * Claude's vocabulary: a schema for each kind of line that tugtalk must understand. Loose, because Claude owns these shapes: keys that we do not know pass through, an
 * unknown kind becomes `unknown` with the raw line. Protocol reference §3, §5, §9.
 */
import { z } from "zod";
import { jsonObject } from "./base/json.ts";
import {
  type AssistantMessage,
  lineFields,
  type StreamEventMessage,
  Usage,
  type UserMessage,
} from "./messages/conversation-lines.ts";
import type { Notification } from "./messages/notifications.ts";

const text = z.string();
const number = z.number();

/** Printed at the start of every turn; the newest is in force (§3a, D04). */
export const SystemInitMessage = z.looseObject({
  type: z.literal("system"),
  subtype: z.literal("init"),
  ...lineFields,
  session_id: text,
  cwd: text.optional().catch(undefined),
  tools: z.array(text).optional().catch(undefined),
  model: text.optional().catch(undefined),
  permissionMode: text.optional().catch(undefined),
  slash_commands: z.array(text).optional().catch(undefined),
  agents: z.array(text).optional().catch(undefined),
  skills: z.array(text).optional().catch(undefined),
  plugins: z.array(z.unknown()).optional().catch(undefined),
  mcp_servers: z
    .array(z.looseObject({ name: text, status: text }))
    .optional()
    .catch(undefined),
  apiKeySource: text.optional().catch(undefined),
  output_style: text.optional().catch(undefined),
  fast_mode_state: text.optional().catch(undefined),
  claude_code_version: text.optional().catch(undefined),
});
export type SystemInitMessage = z.infer<typeof SystemInitMessage>;

/** Compaction, a model call about to start, or a change of the permission mode (§3f). */
export const StatusMessage = z.looseObject({
  type: z.literal("system"),
  subtype: z.literal("status"),
  ...lineFields,
  status: text.nullish().catch(undefined),
  permissionMode: text.optional().catch(undefined),
  user_message_uuids: z.array(text).optional().catch(undefined),
});
export type StatusMessage = z.infer<typeof StatusMessage>;

/** The conversation was shortened (§17). */
export const CompactBoundaryMessage = z.looseObject({
  type: z.literal("system"),
  subtype: z.literal("compact_boundary"),
  ...lineFields,
  compact_metadata: z
    .looseObject({
      trigger: text.optional(),
      pre_tokens: number.optional(),
      post_tokens: number.optional(),
    })
    .optional()
    .catch(undefined),
});
export type CompactBoundaryMessage = z.infer<typeof CompactBoundaryMessage>;

/** A change of one file as unified-diff hunks; lines begin with a space, `-` or `+`. */
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
export type EditToolResult = z.infer<typeof EditToolResult>;

/** `tool_use_result` of Write (§9c); an overwritten file is an `update`. */
export const WriteToolResult = z.looseObject({
  type: z.enum(["create", "update"]),
  filePath: text,
  content: text,
  structuredPatch: z.array(StructuredPatchHunk),
  originalFile: text.nullable(),
});
export type WriteToolResult = z.infer<typeof WriteToolResult>;

/** What one model cost since the process started (§12). */
export const ModelUsage = z.looseObject({
  inputTokens: number.optional(),
  outputTokens: number.optional(),
  cacheReadInputTokens: number.optional(),
  cacheCreationInputTokens: number.optional(),
  costUSD: number.optional(),
  contextWindow: number.optional(),
  maxOutputTokens: number.optional(),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** The end of a turn. Test `is_error`: an API error still says `success` (§3d, PN-2). */
export const ResultMessage = z.looseObject({
  type: z.literal("result"),
  subtype: text,
  ...lineFields,
  /** Every measured CLI tells; without it the subtype decides. */
  is_error: z.boolean().catch(false),
  result: text.optional().catch(undefined),
  errors: z.array(text).optional().catch(undefined),
  total_cost_usd: number.optional().catch(undefined),
  usage: Usage.optional().catch(undefined),
  modelUsage: z.record(z.string(), ModelUsage).optional().catch(undefined),
  model_usage_since_last_result: z.record(z.string(), ModelUsage).optional().catch(undefined),
  num_turns: number.optional().catch(undefined),
  duration_ms: number.optional().catch(undefined),
  duration_api_ms: number.optional().catch(undefined),
  permission_denials: z
    .array(z.looseObject({ tool_name: text, tool_use_id: text }))
    .optional()
    .catch(undefined),
  api_error_status: number.nullish().catch(undefined),
  terminal_reason: text.nullish().catch(undefined),
  stop_reason: text.nullish().catch(undefined),
  structured_output: z.unknown().optional(),
  origin: z.looseObject({ kind: text }).nullish().catch(undefined),
});
export type ResultMessage = z.infer<typeof ResultMessage>;

/** Where an accepted suggestion is remembered: session, localSettings, projectSettings, … */
const destination = text;
const behavior = z.enum(["allow", "deny", "ask"]);
const PermissionRule = z.looseObject({ toolName: text, ruleContent: text.optional() });
const rules = z.array(PermissionRule);
const directories = z.array(text);

const KnownSuggestion = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("addRules"), destination, behavior, rules }),
  z.looseObject({ type: z.literal("replaceRules"), destination, behavior, rules }),
  z.looseObject({ type: z.literal("removeRules"), destination, behavior, rules }),
  z.looseObject({ type: z.literal("setMode"), destination, mode: text }),
  z.looseObject({ type: z.literal("addDirectories"), destination, directories }),
  z.looseObject({ type: z.literal("removeDirectories"), destination, directories }),
]);

const KNOWN_SUGGESTIONS: readonly string[] = KnownSuggestion.options.map(
  (schema) => schema.shape.type.value,
);

/**
 * A standing change of the rules that may be accepted along with one approval, so that the same
 * prompt does not return (§5a, PN-7). One of a kind that we do not know passes through, there and back.
 */
export const PermissionSuggestion = z.union([
  KnownSuggestion,
  z.looseObject({ type: text.refine((type) => !KNOWN_SUGGESTIONS.includes(type)) }),
]);
export type PermissionSuggestion = z.infer<typeof PermissionSuggestion>;

/** Claude asks whether a tool may run (§5a). Suggestions of an unknown kind pass through. */
export const PermissionRequest = z.looseObject({
  subtype: z.literal("can_use_tool"),
  tool_name: text,
  input: jsonObject,
  tool_use_id: text.optional().catch(undefined),
  agent_id: text.optional().catch(undefined),
  permission_suggestions: z
    .array(z.looseObject({ type: text }))
    .nullish()
    .catch(undefined),
  blocked_path: text.nullish().catch(undefined),
  decision_reason: text.nullish().catch(undefined),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

/** An MCP server asks a person for data (§21). */
export const ElicitationAsk = z.looseObject({
  subtype: z.literal("elicitation"),
  mcp_server_name: text,
  message: text,
  mode: text.optional(),
  url: text.optional(),
  requested_schema: jsonObject.optional(),
});

/** Claude asks for a dialog, of a kind that was declared in `initialize`. */
export const DialogAsk = z.looseObject({
  subtype: z.literal("request_user_dialog"),
  dialog_kind: text,
  payload: jsonObject,
  tool_use_id: text.optional(),
});

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

/** Claude asks us something (§5a, §19). */
export const ControlRequest = z.looseObject({
  type: z.literal("control_request"),
  request_id: text,
  request: z.looseObject({ subtype: text }),
});
export type ControlRequest = z.infer<typeof ControlRequest>;

/** A request without all that it is about: enough to refuse it. */
export const RequestHead = z.object({
  type: z.literal("control_request"),
  request_id: text,
  request: z.object({ subtype: text }),
});

/** An answer to one of our requests, or the echo of an answer of ours (§5b). */
export const ControlResponse = z.looseObject({
  type: z.literal("control_response"),
  response: z.looseObject({
    subtype: z.enum(["success", "error"]),
    request_id: text.optional(),
    response: jsonObject.nullish().catch(undefined),
    error: text.optional().catch(undefined),
    error_code: text.optional().catch(undefined),
  }),
});
export type ControlResponse = z.infer<typeof ControlResponse>;

/** Claude's answer to `initialize`. A field of another shape is left out: it must not stop a start. */
export const InitializeResponse = z.looseObject({
  models: z.array(z.unknown()).optional().catch(undefined),
  commands: z.array(z.unknown()).optional().catch(undefined),
  agents: z.array(z.unknown()).optional().catch(undefined),
  output_style: text.optional().catch(undefined),
  available_output_styles: z.array(text).optional().catch(undefined),
  account: jsonObject.optional().catch(undefined),
  claude_code_version: text.optional().catch(undefined),
});

/** Claude takes a question back. */
export const ControlCancelRequest = z.looseObject({
  type: z.literal("control_cancel_request"),
  request_id: text,
});

/** Says nothing. */
export const KeepAlive = z.looseObject({ type: z.literal("keep_alive") });

/** What Claude wrote to its transcript, for who asked for a copy with `--session-mirror`. */
export const TranscriptMirror = z.looseObject({ type: z.literal("transcript_mirror") });

/** A line that no schema knows, passed on as it came. */
export type UnknownLine = {
  readonly type: "unknown";
  readonly original_type: string;
  readonly original_subtype?: string;
  readonly raw: unknown;
};

/** One line of Claude's, checked. */
export type ClaudeMessage =
  | SystemInitMessage
  | StatusMessage
  | CompactBoundaryMessage
  | AssistantMessage
  | UserMessage
  | ResultMessage
  | StreamEventMessage
  | ControlRequest
  | ControlResponse
  | z.infer<typeof ControlCancelRequest>
  | z.infer<typeof KeepAlive>
  | z.infer<typeof TranscriptMirror>
  | Notification
  | UnknownLine;
