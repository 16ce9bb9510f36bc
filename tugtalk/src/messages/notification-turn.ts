/** Notifications about a turn: model calls, retries, tools, hooks, memories (§3f, §11, §22). */
import { z } from "zod";
import {
  notification,
  nullish,
  nullishFlag,
  nullishNumber,
  nullishText,
  number,
  object,
  text,
} from "./claude-fields.ts";

function hookEvent<Phase extends string, Fields extends z.ZodRawShape>(
  phase: Phase,
  fields: Fields,
) {
  return notification("hook_event", {
    /** Claude's subtype without `hook_`. */
    phase: z.literal(phase).default(phase),
    hook_id: text,
    hook_name: nullishText,
    hook_event: text,
    ...fields,
  });
}

const hookOutput = { stdout: nullishText, stderr: nullishText, output: nullishText };

/** A refusal of a model, with the reason of the API. */
const refusal = {
  original_model: text,
  request_id: nullishText,
  api_refusal_category: nullishText,
  api_refusal_explanation: nullishText,
  refused_user_message_uuid: nullishText,
  content: nullishText,
};

export const TURN_NOTIFICATIONS = {
  tool_progress: notification("tool_progress", {
    tool_use_id: text,
    tool_name: text,
    elapsed_time_seconds: number,
    task_id: nullishText,
    heartbeat: nullishFlag,
    subagent_type: nullishText,
    subagent_retry: nullish(
      object({
        agent_id: nullishText,
        attempt: nullishNumber,
        max_retries: nullishNumber,
        retry_delay_ms: nullishNumber,
        error_status: nullishNumber,
        error_category: nullishText,
      }),
    ),
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
    no_response: nullish(object({ waited_ms: nullishNumber, retry_wait_ms: nullishNumber })),
  }),
  "system/file_attachments_missing": notification("file_attachments_missing", {}),
  "system/hook_progress": hookEvent("progress", hookOutput),
  "system/hook_response": hookEvent("response", {
    ...hookOutput,
    exit_code: nullishNumber,
    outcome: nullishText,
  }),
  "system/hook_started": hookEvent("started", {}),
  "system/informational": notification("informational", {
    content: text,
    level: text,
    tool_use_id: nullishText,
    prevent_continuation: nullishFlag,
    tag: nullishText,
  }),
  "system/inherited_asks_settled": notification("inherited_asks_settled", {}),
  "system/instruction_size_warning": notification("instruction_size_warning", {}),
  "system/late_allow_not_run": notification("late_allow_not_run", {}),
  "system/local_command_output": notification("local_command_output", { content: text }),
  "system/memory_recall": notification("memory_recall", {
    mode: text,
    memories: z.array(object({ path: text, scope: nullishText, content: nullishText })),
  }),
  "system/model_fallback": notification("model_fallback", {
    original_model: text,
    fallback_model: text,
    trigger: nullishText,
    content: nullishText,
    /** The message of Claude in which the model changes. */
    msg_id: nullishText,
  }),
  "system/model_refusal_fallback": notification("model_refusal_fallback", {
    ...refusal,
    fallback_model: text,
    trigger: nullishText,
    direction: text,
    scope: nullishText,
    retracted_message_uuids: nullish(z.array(text)),
  }),
  "system/model_refusal_no_fallback": notification("model_refusal_no_fallback", refusal),
  "system/per_turn_effort_changed": notification("per_turn_effort_changed", {}),
  "system/permission_check_status": notification("permission_check_status", {}),
  "system/permission_denied": notification("permission_denied", {
    tool_name: text,
    tool_use_id: text,
    message: text,
    agent_id: nullishText,
    decision_reason_type: nullishText,
    decision_reason: nullishText,
    decision_reason_code: nullishText,
  }),
  "system/post_turn_summary": notification("post_turn_summary", {}),
  "system/thinking_tokens": notification("thinking_tokens", {
    estimated_tokens: number,
    estimated_tokens_delta: number,
    user_message_uuid: nullishText,
  }),
} as const;
