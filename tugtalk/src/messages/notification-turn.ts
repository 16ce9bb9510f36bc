/** Notifications about a turn: model calls, retries, tools, hooks, memories (§3f, §11, §22). */
import { z } from "zod";
import { flag, notification, nullish, nullishFields, number, text } from "./claude-fields.ts";

function hookEvent<Phase extends string, Fields extends z.ZodRawShape>(
  phase: Phase,
  fields: Fields,
) {
  return notification("hook_event", {
    /** Claude's subtype without `hook_`. */
    phase: z.literal(phase).default(phase),
    hook_id: text,
    hook_event: text,
    ...fields,
    hook_name: nullish(text),
  });
}

const hookOutput = { stdout: nullish(text), stderr: nullish(text), output: nullish(text) };

/** A refusal of a model, with the reason of the API. */
const refusal = {
  original_model: text,
  ...nullishFields(text, "request_id", "api_refusal_category", "api_refusal_explanation"),
  ...nullishFields(text, "refused_user_message_uuid", "content"),
};

export const TURN_NOTIFICATIONS = {
  tool_progress: notification("tool_progress", {
    tool_use_id: text,
    tool_name: text,
    elapsed_time_seconds: number,
    subagent_retry: nullish(
      z.looseObject({
        ...nullishFields(text, "agent_id", "error_category"),
        ...nullishFields(number, "attempt", "max_retries", "retry_delay_ms", "error_status"),
      }),
    ),
    ...nullishFields(text, "task_id", "subagent_type"),
    heartbeat: nullish(flag),
  }),
  tool_use_summary: notification("tool_use_summary", {
    summary: text,
    preceding_tool_use_ids: z.array(text),
  }),
  "system/api_retry": notification("api_retry", {
    attempt: number,
    max_retries: number,
    retry_delay_ms: number,
    error_status: number.nullable(),
    error: text,
    no_response: nullish(
      z.looseObject({ waited_ms: nullish(number), retry_wait_ms: nullish(number) }),
    ),
  }),
  "system/file_attachments_missing": notification("file_attachments_missing", {}),
  "system/hook_progress": hookEvent("progress", hookOutput),
  "system/hook_response": hookEvent("response", {
    ...hookOutput,
    outcome: nullish(text),
    exit_code: nullish(number),
  }),
  "system/hook_started": hookEvent("started", {}),
  "system/informational": notification("informational", {
    content: text,
    level: text,
    ...nullishFields(text, "tool_use_id", "tag"),
    prevent_continuation: nullish(flag),
  }),
  "system/inherited_asks_settled": notification("inherited_asks_settled", {}),
  "system/instruction_size_warning": notification("instruction_size_warning", {}),
  "system/late_allow_not_run": notification("late_allow_not_run", {}),
  "system/local_command_output": notification("local_command_output", { content: text }),
  "system/memory_recall": notification("memory_recall", {
    mode: text,
    memories: z.array(z.looseObject({ path: text, scope: nullish(text), content: nullish(text) })),
  }),
  "system/model_fallback": notification("model_fallback", {
    original_model: text,
    fallback_model: text,
    /** The message of Claude in which the model changes. */
    ...nullishFields(text, "trigger", "content", "msg_id"),
  }),
  "system/model_refusal_fallback": notification("model_refusal_fallback", {
    ...refusal,
    fallback_model: text,
    direction: text,
    retracted_message_uuids: nullish(z.array(text)),
    ...nullishFields(text, "trigger", "scope"),
  }),
  "system/model_refusal_no_fallback": notification("model_refusal_no_fallback", refusal),
  "system/per_turn_effort_changed": notification("per_turn_effort_changed", {}),
  "system/permission_check_status": notification("permission_check_status", {}),
  "system/permission_denied": notification("permission_denied", {
    tool_name: text,
    tool_use_id: text,
    message: text,
    ...nullishFields(text, "agent_id", "decision_reason_type", "decision_reason"),
    decision_reason_code: nullish(text),
  }),
  "system/post_turn_summary": notification("post_turn_summary", {}),
  "system/thinking_tokens": notification("thinking_tokens", {
    estimated_tokens: number,
    estimated_tokens_delta: number,
    user_message_uuid: nullish(text),
  }),
} as const;
