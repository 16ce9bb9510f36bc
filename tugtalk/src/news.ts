/**
 * News: kinds of line that Claude prints for display and that a host gets under a name of its own
 * with Claude's fields unchanged. One table gives the inbound schema, the outbound schema and the
 * name. Kinds that tugtalk must understand to do its work are in `protocol-types.ts`.
 */
import { z } from "zod";
import { looseOutbound, type Unstamped, unstampedLooseOutbound } from "./outbound.ts";

const text = z.string();
const number = z.number();
const optionalText = z.string().optional();
const usage = z.looseObject({ total_tokens: number, tool_uses: number, duration_ms: number });
const task = z.looseObject({ task_id: text });

/** The schemas of one kind of news: as it is parsed, and as it leaves. */
function news<Type extends string, Fields extends z.ZodRawShape>(name: Type, fields: Fields) {
  return { name, parsed: unstampedLooseOutbound(name, fields), sent: looseOutbound(name, fields) };
}

function hookEvent<Phase extends string>(phase: Phase) {
  return news("hook_event", {
    /** Which of Claude's three kinds this was: `hook_started`, `hook_progress`, `hook_response`. */
    phase: z.literal(phase).default(phase),
    hook_id: text,
    hook_event: text,
  });
}

/** Outbound name and the fields that are relied on, for each kind: `type` or `type/subtype`. */
export const NEWS = {
  active_goal: news("active_goal", { value: z.looseObject({ condition: text }).nullable() }),
  auth_status: news("auth_status", {
    isAuthenticating: z.boolean(),
    output: z.array(text),
    error: optionalText,
  }),
  command_lifecycle: news("command_lifecycle", { command_uuid: text, state: text }),
  conversation_reset: news("conversation_reset", {
    new_conversation_id: text,
    trigger: optionalText,
  }),
  prompt_suggestion: news("prompt_suggestion", { suggestion: text }),
  rate_limit_event: news("rate_limit", {
    rate_limit_info: z.looseObject({ status: text }),
  }),
  tool_progress: news("tool_progress", {
    tool_use_id: text,
    tool_name: text,
    elapsed_time_seconds: number,
  }),
  tool_use_summary: news("tool_use_summary", {
    summary: text,
    preceding_tool_use_ids: z.array(text),
  }),
  "system/api_retry": news("api_retry", {
    attempt: number,
    max_retries: number,
    retry_delay_ms: number,
    error_status: number.nullable(),
    error: text,
  }),
  "system/background_tasks_changed": news("background_tasks", { tasks: z.array(task) }),
  "system/commands_changed": news("commands_changed", {
    commands: z.array(z.looseObject({ name: text })),
  }),
  "system/control_request_progress": news("control_request_progress", {
    request_id: text,
    status: text,
  }),
  "system/elicitation_complete": news("elicitation_complete", {
    mcp_server_name: text,
    elicitation_id: text,
  }),
  "system/files_persisted": news("files_persisted", {
    files: z.array(z.looseObject({ filename: text, file_id: text })),
    failed: z.array(z.looseObject({ filename: text, error: text })),
  }),
  "system/hook_progress": hookEvent("progress"),
  "system/hook_response": hookEvent("response"),
  "system/hook_started": hookEvent("started"),
  "system/informational": news("informational", { content: text, level: text }),
  "system/local_command_output": news("local_command_output", { content: text }),
  "system/memory_recall": news("memory_recall", {
    mode: text,
    memories: z.array(z.looseObject({ path: text })),
  }),
  "system/mirror_error": news("mirror_error", { error: text }),
  "system/model_fallback": news("model_fallback", {
    original_model: text,
    fallback_model: text,
  }),
  "system/model_refusal_fallback": news("model_refusal_fallback", {
    original_model: text,
    fallback_model: text,
    direction: text,
  }),
  "system/model_refusal_no_fallback": news("model_refusal_no_fallback", {
    original_model: text,
  }),
  "system/notification": news("notification", { key: text, text, priority: text }),
  "system/permission_denied": news("permission_denied", {
    tool_name: text,
    tool_use_id: text,
    message: text,
  }),
  "system/plugin_install": news("plugin_install", { status: text }),
  "system/session_state_changed": news("claude_session_state", { state: text }),
  "system/session_title_changed": news("session_title_changed", {}),
  "system/session_writes_lost": news("session_writes_lost", {
    error_code: text,
    lost: z.array(text),
  }),
  "system/task_notification": news("task_notification", {
    task_id: text,
    tool_use_id: optionalText,
    status: text,
    summary: optionalText,
  }),
  "system/task_progress": news("task_progress", {
    task_id: text,
    tool_use_id: optionalText,
    usage: usage.optional(),
  }),
  "system/task_started": news("task_started", {
    task_id: text,
    tool_use_id: optionalText,
    description: optionalText,
    is_backgrounded: z.boolean().optional(),
  }),
  "system/task_updated": news("task_updated", {
    task_id: text,
    patch: z.looseObject({ status: optionalText, is_backgrounded: z.boolean().optional() }),
  }),
  "system/thinking_tokens": news("thinking_tokens", {
    estimated_tokens: number,
    estimated_tokens_delta: number,
  }),
  "system/worker_shutting_down": news("worker_shutting_down", { reason: text }),
} as const;

/** A kind of line that is news. */
export type NewsKind = keyof typeof NEWS;

/** Every outbound message that is news. */
export const NewsMessage = z.union(Object.values(NEWS).map(({ sent }) => sent));
export type NewsMessage = z.infer<(typeof NEWS)[NewsKind]["sent"]>;

/** A line of Claude's that is news, already in the shape that the host gets. */
export type News = {
  [Kind in NewsKind]: {
    readonly type: "news";
    readonly kind: Kind;
    readonly message: Unstamped<z.infer<(typeof NEWS)[Kind]["sent"]>>;
    readonly session_id: string | undefined;
  };
}[NewsKind];

/** Tells whether a kind of line is news. */
export function isNewsKind(kind: string): kind is NewsKind {
  return Object.hasOwn(NEWS, kind);
}

/** A parsed line of a kind that is news; undefined where a field that is relied on is ill-typed. */
export function parseNews(
  kind: NewsKind,
  raw: Readonly<Record<string, unknown>>,
): News | undefined {
  const { type: _type, subtype: _subtype, session_id, parent_tool_use_id, ...fields } = raw;
  const parsed = NEWS[kind].parsed.safeParse({
    ...fields,
    type: NEWS[kind].name,
    ...(typeof parent_tool_use_id === "string" && { parent_tool_use_id }),
  });
  if (!parsed.success) return undefined;
  const sessionId = typeof session_id === "string" ? session_id : undefined;
  // The table pairs each kind with the schema of its message; the compiler cannot follow that.
  return { type: "news", kind, message: parsed.data, session_id: sessionId } as News;
}
