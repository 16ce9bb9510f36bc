/** Notifications about a turn: model calls, retries, tools, hooks, memories (§3f, §11, §22). */
import { z } from "zod";
import { notification, nullish, nullishFields } from "./claude-fields.ts";
import { flag, looseOutbound, number, text, unstampedLooseOutbound } from "./message-schemas.ts";

const hookFields = {
  hook_id: text.describe("One run of a hook."),
  hook_event: text.describe("The event that the hook is for, such as `PreToolUse`."),
  hook_name: nullish(text).describe("The event with the matcher of the hook."),
  ...nullishFields(text, {
    stdout: "Its stdout so far. Absent for `started`.",
    stderr: "Its stderr so far. Absent for `started`.",
    output: "Both together. Absent for `started`.",
    outcome: "`success`, `error` or `cancelled`. Absent before `response`.",
  }),
  exit_code: nullish(number).describe("The exit code of the hook. Absent before `response`."),
};

const hookPhase = z
  .enum(["started", "progress", "response"])
  .describe("`started`, `progress` with output, or `response` at the end.");

/** The three kinds of lines about a hook are one message: each is checked for the fields of all. */
const HookEvent = looseOutbound("hook_event", { phase: hookPhase, ...hookFields }).describe(
  "A hook runs. Without `options.hook_events` sent for SessionStart only. Since Claude 2.1.38, for other hooks since 2.1.197.",
);

function hookEvent(phase: z.infer<typeof hookPhase>) {
  const parsed = { phase: z.literal(phase).default(phase), ...hookFields };
  return {
    name: "hook_event",
    parsed: unstampedLooseOutbound("hook_event", parsed),
    sent: HookEvent,
  } as const;
}

/** A refusal of a model, with the reason of the API. */
const refusal = {
  original_model: text.describe("The model that refused."),
  ...nullishFields(text, {
    request_id: "The id of the request at the API.",
    api_refusal_category: "The kind of refusal, by the API.",
    api_refusal_explanation: "The reason, by the API.",
    refused_user_message_uuid: "The `message_id` of the refused message.",
    content: "A text for the user.",
  }),
};

export const TURN_NOTIFICATIONS = {
  tool_progress: notification("tool_progress", "A tool is still running. Since Claude 2.1.330.", {
    tool_use_id: text.describe("The tool call."),
    tool_name: text.describe("The tool."),
    elapsed_time_seconds: number.describe("The time since its start, in seconds."),
    subagent_retry: nullish(
      z.looseObject({
        ...nullishFields(text, {
          agent_id: "The subagent.",
          error_category: "The kind of failure.",
        }),
        ...nullishFields(number, {
          attempt: "The number of the attempt.",
          max_retries: "How often it is repeated at most.",
          retry_delay_ms: "The time until the next attempt, in ms.",
          error_status: "The HTTP status of the failed attempt. Null: no response.",
        }),
      }),
    ).describe("A subagent waits to repeat a model call."),
    ...nullishFields(text, {
      task_id: "The task that runs the tool.",
      subagent_type: "The kind of subagent.",
    }),
    heartbeat: nullish(flag).describe("Sent at intervals, without any progress."),
  }),
  tool_use_summary: notification(
    "tool_use_summary",
    "A summary of the preceding tool calls, written by a model.",
    {
      summary: text.describe("The summary."),
      preceding_tool_use_ids: z.array(text).describe("The tool calls that it is about."),
    },
  ),
  "system/api_retry": notification(
    "api_retry",
    "A model call failed and is repeated. Since Claude 2.1.197; older ones repeat it silently.",
    {
      attempt: number.describe("The number of the attempt that failed."),
      max_retries: number.describe("How often it is repeated at most."),
      retry_delay_ms: number.describe("The time until the next attempt, in ms."),
      error_status: number.nullable().describe("The HTTP status. Null: no response."),
      error: text.describe("Claude's name for the error: `rate_limit`, `overloaded`, …"),
      no_response: nullish(
        z.looseObject({
          waited_ms: nullish(number).describe("How long it was waited for, in ms."),
          retry_wait_ms: nullish(number).describe("How long the next attempt waits, in ms."),
        }),
      ).describe("The API sent nothing in time."),
    },
  ),
  "system/hook_progress": hookEvent("progress"),
  "system/hook_response": hookEvent("response"),
  "system/hook_started": hookEvent("started"),
  "system/informational": notification(
    "informational",
    "A remark for the user. Since Claude 2.1.197.",
    {
      content: text.describe("The remark."),
      level: text.describe("`info`, `notice`, `suggestion` or `warning`."),
      ...nullishFields(text, {
        tool_use_id: "The tool call that it is about.",
        tag: "Names the kind of remark.",
      }),
      prevent_continuation: nullish(flag).describe("It stops the turn."),
    },
  ),
  "system/local_command_output": notification(
    "local_command_output",
    "The output of a local command. Not observed; expect `user_text`.",
    { content: text.describe("The output.") },
  ),
  "system/memory_recall": notification("memory_recall", "Memories that the turn uses.", {
    mode: text.describe("`select` or `synthesize`."),
    memories: z
      .array(
        z.looseObject({
          path: text.describe("Where the memory is stored."),
          scope: nullish(text).describe("`personal`, `team` or `organization`."),
          content: nullish(text).describe("Its text."),
        }),
      )
      .describe("The memories."),
  }),
  "system/model_fallback": notification(
    "model_fallback",
    "Another model continues. Since Claude 2.1.197; with `msg_id` on every version.",
    {
      original_model: text.describe("The model before."),
      fallback_model: text.describe("The model from here on."),
      ...nullishFields(text, {
        trigger: "Why. Absent with `msg_id`.",
        content: "A text for the user. Absent with `msg_id`.",
        msg_id:
          "The message of Claude within which the API has changed the model; the rest of it is from the other model.",
      }),
    },
  ),
  "system/model_refusal_fallback": notification(
    "model_refusal_fallback",
    "The model refused, and another one answers.",
    {
      ...refusal,
      fallback_model: text.describe("The model that answers."),
      direction: text.describe("`retry`, `revert` or `sticky`."),
      retracted_message_uuids: nullish(z.array(text)).describe(
        "The `uuid`s of the retracted lines. A `message_retracted` for each of their blocks comes before.",
      ),
      ...nullishFields(text, {
        trigger: "Always `refusal`.",
        scope: "`session`: for good; `local`: for this answer.",
      }),
    },
  ),
  "system/model_refusal_no_fallback": notification(
    "model_refusal_no_fallback",
    "The model refused, and no other one answers. Since Claude 2.1.197.",
    refusal,
  ),
  "system/permission_denied": notification(
    "permission_denied",
    "A tool was refused without a prompt. Since Claude 2.1.197.",
    {
      tool_name: text.describe("The tool."),
      tool_use_id: text.describe("The tool call."),
      message: text.describe("The text that the model gets."),
      ...nullishFields(text, {
        agent_id: "The subagent that called the tool. Absent for the main conversation.",
        decision_reason_type: "The kind of decision: `rule`, `mode`, `hook`, …",
        decision_reason: "Why, as a text.",
        decision_reason_code: "Why, as a name.",
      }),
    },
  ),
  "system/thinking_tokens": notification(
    "thinking_tokens",
    "An estimate, while thinking streams. Since Claude 2.1.197.",
    {
      estimated_tokens: number.describe("The thinking tokens so far."),
      estimated_tokens_delta: number.describe("Those since the last message."),
      user_message_uuid: nullish(text).describe(
        "The `message_id` of the message that is answered.",
      ),
    },
  ),
} as const;
