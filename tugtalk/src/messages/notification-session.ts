/** Notifications about the session: account, limits, commands, files, plugins, UI (§3f). */
import { z } from "zod";
import { notification, nullish, nullishFields } from "./claude-fields.ts";
import { flag, number, text } from "./message-schemas.ts";

const RateLimitInfo = z
  .looseObject({
    status: text.describe("`allowed`, `allowed_warning` or `rejected`."),
    ...nullishFields(text, {
      rateLimitType:
        "Which limit: `five_hour`, `seven_day`, `seven_day_opus`, `seven_day_sonnet`, `seven_day_overage_included`, `overage`.",
      overageStatus: "The status of the usage beyond the plan, with the values of `status`.",
      overageDisabledReason: "Why there is no usage beyond the plan.",
      limitScope: "The scope of the limit: `service`, `channel`, `group_pool`.",
      errorCode: "`credits_required` where credits have to be bought.",
    }),
    ...nullishFields(number, {
      resetsAt: "When the limit is reset, in seconds since 1970.",
      utilization: "The used part of the limit, as Claude counts it.",
      overageResetsAt:
        "When the limit of the usage beyond the plan is reset, in seconds since 1970.",
      surpassedThreshold: "The warning threshold that was passed, in the unit of `utilization`.",
    }),
    ...nullishFields(flag, {
      isUsingOverage: "The session uses more than the plan has.",
      overageInUse: "Usage beyond the plan is counted.",
      overageEnabled: "Usage beyond the plan is allowed.",
      canUserPurchaseCredits: "The user may buy credits.",
      hasChargeableSavedPaymentMethod: "A means of payment is stored.",
    }),
  })
  .meta({ id: "RateLimitInfo", description: "The state of the rate limits of a plan." });

const SlashCommand = z
  .looseObject({
    name: text.describe("Without the slash."),
    aliases: nullish(z.array(text)).describe("Other names."),
    ...nullishFields(text, {
      description: "The effect of the command.",
      argumentHint: "A hint for the arguments, such as `[file]`.",
    }),
    builtin: nullish(flag).describe("A command of Claude's own. Since Claude 2.1.330."),
  })
  .meta({ id: "SlashCommand", description: "A slash command." });

const Goal = z
  .looseObject({
    condition: text.describe("When the goal is reached."),
    last_reason: nullish(text).describe("Why it was not reached at the last check."),
    ...nullishFields(number, {
      iterations: "The number of checks.",
      set_at: "When the goal was set, in ms since 1970.",
      tokens_at_start: "The tokens that were used before.",
    }),
  })
  .meta({ id: "Goal", description: "A goal that Claude pursues by itself." });

export const SESSION_NOTIFICATIONS = {
  active_goal: notification("active_goal", "The goal that Claude pursues by itself has changed.", {
    value: Goal.nullable().describe("The goal. Null: it was removed."),
  }),
  auth_status: notification("auth_status", "The progress of a login.", {
    isAuthenticating: flag.describe("The login is in progress."),
    output: z.array(text).describe("Lines for the user."),
    error: nullish(text).describe("Why the login failed."),
  }),
  command_lifecycle: notification(
    "command_lifecycle",
    "Claude's view of a host message. Use `message_status`. Since Claude 2.1.330.",
    {
      command_uuid: text.describe("The `message_id` of the host message."),
      state: text.describe(
        "`queued`, `started`, `completed`, `cancelled`, `discarded` or `refused`.",
      ),
      wakeup_source: nullish(text).describe("The reason for which Claude began a turn by itself."),
    },
  ),
  conversation_reset: notification(
    "conversation_reset",
    "Claude starts another conversation, as for `/clear`. `session_init` with its id follows with the turn. Since Claude 2.1.330.",
    {
      new_conversation_id: text.describe("An id of Claude's for the new conversation."),
      ...nullishFields(text, {
        trigger: "`clear`, `plan_mode_exit`, `fresh_session` or `onboarding`.",
        user_message_uuid: "The `message_id` of the message that caused it.",
        timestamp: "When, in ISO 8601.",
      }),
    },
  ),
  prompt_suggestion: notification(
    "prompt_suggestion",
    "A suggestion for the next message. Sent after the end of a turn.",
    { suggestion: text.describe("The suggested message.") },
  ),
  rate_limit_event: notification(
    "rate_limit",
    "The state of the rate limits. Sent in nearly every session of a subscription, also while `status` is `allowed`.",
    { rate_limit_info: RateLimitInfo },
  ),
  "system/commands_changed": notification(
    "commands_changed",
    "The slash commands have changed. Since Claude 2.1.197.",
    { commands: z.array(SlashCommand).describe("All commands; they replace those before.") },
  ),
  "system/control_request_progress": notification(
    "control_request_progress",
    "A long request of the host is in progress. Since Claude 2.1.330.",
    {
      request_id: text.describe("An id between tugtalk and Claude."),
      status: text.describe("`started` or `api_retry`."),
      ...nullishFields(number, {
        attempt: "The number of the attempt, for `api_retry`.",
        max_retries: "How often it is repeated at most, for `api_retry`.",
        retry_delay_ms: "The time until the next attempt in ms, for `api_retry`.",
        error_status: "The HTTP status of the failed attempt. Null: no response.",
      }),
    },
  ),
  "system/elicitation_complete": notification(
    "elicitation_complete",
    "A request of an MCP server to visit a page was completed there.",
    {
      mcp_server_name: text.describe("The MCP server."),
      elicitation_id: text.describe("The `elicitation_id` of the `elicitation_request`."),
    },
  ),
  "system/files_persisted": notification("files_persisted", "Files were uploaded.", {
    files: z
      .array(
        z.looseObject({
          filename: text.describe("The name of the file."),
          file_id: text.describe("The id of the upload."),
        }),
      )
      .describe("The uploaded files."),
    failed: z
      .array(
        z.looseObject({
          filename: text.describe("The name of the file."),
          error: text.describe("Why it was not uploaded."),
        }),
      )
      .describe("The files that were not uploaded."),
    processed_at: nullish(text).describe("When, in ISO 8601."),
  }),
  "system/mirror_error": notification("mirror_error", "A copy of the transcript is incomplete.", {
    error: text.describe("The failure in words."),
    key: nullish(
      z.looseObject({
        projectKey: nullish(text).describe("The folder's name among the transcripts."),
        sessionId: nullish(text).describe("The id of the conversation."),
        subpath: nullish(text).describe("The file below the conversation, as of a subagent."),
      }),
    ).describe("Which transcript."),
  }),
  "system/notification": notification(
    "notification",
    "A short message for the user. Since Claude 2.1.197.",
    {
      key: text.describe("Names the message; one with the same key replaces it."),
      text: text.describe("The message."),
      priority: text.describe("`low`, `medium`, `high` or `immediate`."),
      color: nullish(text).describe("A name of a colour."),
      timeout_ms: nullish(number).describe("How long to show it, in ms."),
    },
  ),
  "system/plugin_install": notification("plugin_install", "The progress of installing plugins.", {
    status: text.describe("`started`, `installed`, `failed` or `completed`."),
    ...nullishFields(text, {
      name: "The plugin, for `installed` and `failed`.",
      error: "Why it failed.",
    }),
  }),
  "system/session_state_changed": notification(
    "claude_session_state",
    "Claude's own view of the state, sent only if Claude's environment enables it. Use `session_state`.",
    {
      state: text.describe("`idle`, `running` or `requires_action`."),
      sdk_host_only: nullish(flag).describe("Meant for the process that has started Claude."),
    },
  ),
  "system/session_title_changed": notification(
    "session_title_changed",
    "The conversation has another title. Since Claude 2.1.330.",
    { title: nullish(text).describe("The title. Null or absent: none.") },
  ),
  "system/session_writes_lost": notification(
    "session_writes_lost",
    "The disk was full, so that something was not stored.",
    {
      error_code: text.describe("`ENOSPC` or `EDQUOT`."),
      lost: z.array(text).describe("The lost files: `transcript`, `global_config`."),
      transcript_session_ids: nullish(z.array(text)).describe(
        "The ids of the conversations whose transcripts are incomplete.",
      ),
    },
  ),
  "system/worker_shutting_down": notification(
    "worker_shutting_down",
    "The process that runs Claude for a remote client ends.",
    { reason: text.describe("Why.") },
  ),
} as const;
