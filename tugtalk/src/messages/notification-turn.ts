/** News of what a turn does: model calls and their troubles, tools, hooks, memories (§3f, §11, §22). */
import { z } from "zod";
import {
  notification,
  number,
  object,
  shown,
  shownFlag,
  shownNumber,
  shownText,
  text,
} from "./notification-schema.ts";

function hookEvent<Phase extends string, Fields extends z.ZodRawShape>(
  phase: Phase,
  fields: Fields,
) {
  return notification("hook_event", {
    /** Which of Claude's three kinds this was: `hook_started`, `hook_progress`, `hook_response`. */
    phase: z.literal(phase).default(phase),
    hook_id: text,
    hook_name: shownText,
    hook_event: text,
    ...fields,
  });
}

const hookOutput = { stdout: shownText, stderr: shownText, output: shownText };

/** What a model refused, and why as far as the API says. */
const refusal = {
  original_model: text,
  request_id: shownText,
  api_refusal_category: shownText,
  api_refusal_explanation: shownText,
  refused_user_message_uuid: shownText,
  content: shownText,
};

export const TURN_NOTIFICATIONS = {
  tool_progress: notification("tool_progress", {
    tool_use_id: text,
    tool_name: text,
    elapsed_time_seconds: number,
    task_id: shownText,
    heartbeat: shownFlag,
    subagent_type: shownText,
    subagent_retry: shown(
      object({
        agent_id: shownText,
        attempt: shownNumber,
        max_retries: shownNumber,
        retry_delay_ms: shownNumber,
        error_status: shownNumber,
        error_category: shownText,
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
    no_response: shown(object({ waited_ms: shownNumber, retry_wait_ms: shownNumber })),
  }),
  "system/file_attachments_missing": notification("file_attachments_missing", {}),
  "system/hook_progress": hookEvent("progress", hookOutput),
  "system/hook_response": hookEvent("response", {
    ...hookOutput,
    exit_code: shownNumber,
    outcome: shownText,
  }),
  "system/hook_started": hookEvent("started", {}),
  "system/informational": notification("informational", {
    content: text,
    level: text,
    tool_use_id: shownText,
    prevent_continuation: shownFlag,
    tag: shownText,
  }),
  "system/inherited_asks_settled": notification("inherited_asks_settled", {}),
  "system/instruction_size_warning": notification("instruction_size_warning", {}),
  "system/late_allow_not_run": notification("late_allow_not_run", {}),
  "system/local_command_output": notification("local_command_output", { content: text }),
  "system/memory_recall": notification("memory_recall", {
    mode: text,
    memories: z.array(object({ path: text, scope: shownText, content: shownText })),
  }),
  "system/model_fallback": notification("model_fallback", {
    original_model: text,
    fallback_model: text,
    trigger: shownText,
    content: shownText,
    /** The message of Claude's within which it happens. */
    msg_id: shownText,
  }),
  "system/model_refusal_fallback": notification("model_refusal_fallback", {
    ...refusal,
    fallback_model: text,
    trigger: shownText,
    direction: text,
    scope: shownText,
    retracted_message_uuids: shown(z.array(text)),
  }),
  "system/model_refusal_no_fallback": notification("model_refusal_no_fallback", refusal),
  "system/per_turn_effort_changed": notification("per_turn_effort_changed", {}),
  "system/permission_check_status": notification("permission_check_status", {}),
  "system/permission_denied": notification("permission_denied", {
    tool_name: text,
    tool_use_id: text,
    message: text,
    agent_id: shownText,
    decision_reason_type: shownText,
    decision_reason: shownText,
    decision_reason_code: shownText,
  }),
  "system/post_turn_summary": notification("post_turn_summary", {}),
  "system/thinking_tokens": notification("thinking_tokens", {
    estimated_tokens: number,
    estimated_tokens_delta: number,
    user_message_uuid: shownText,
  }),
} as const;
