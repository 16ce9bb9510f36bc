/** Notifications about the session: account, limits, commands, files, plugins, UI (§3f). */
import { z } from "zod";
import { flag, notification, nullish, nullishFields, number, text } from "./claude-fields.ts";

/** The state of the rate limits of a plan. */
const rateLimit = z.looseObject({
  status: text,
  ...nullishFields(text, "rateLimitType", "overageStatus", "overageDisabledReason", "limitScope"),
  errorCode: nullish(text),
  ...nullishFields(number, "resetsAt", "utilization", "overageResetsAt", "surpassedThreshold"),
  ...nullishFields(flag, "isUsingOverage", "overageInUse", "overageEnabled"),
  ...nullishFields(flag, "canUserPurchaseCredits", "hasChargeableSavedPaymentMethod"),
});

const slashCommand = z.looseObject({
  name: text,
  aliases: nullish(z.array(text)),
  ...nullishFields(text, "description", "argumentHint"),
  builtin: nullish(flag),
});

const goal = z.looseObject({
  condition: text,
  last_reason: nullish(text),
  ...nullishFields(number, "iterations", "set_at", "tokens_at_start"),
});

/** A notification for the UI of Claude itself, without a published declaration. */
function uiEvent<What extends string>(what: What) {
  return notification("ui_event", {
    /** Claude's subtype without `ui_`. */
    event: z.literal(what).default(what),
  });
}

export const SESSION_NOTIFICATIONS = {
  active_goal: notification("active_goal", { value: goal.nullable() }),
  auth_status: notification("auth_status", {
    isAuthenticating: flag,
    output: z.array(text),
    error: nullish(text),
  }),
  autocompact_state: notification("autocompact_state", {}),
  command_lifecycle: notification("command_lifecycle", {
    command_uuid: text,
    state: text,
    wakeup_source: nullish(text),
  }),
  conversation_reset: notification("conversation_reset", {
    new_conversation_id: text,
    ...nullishFields(text, "trigger", "user_message_uuid", "timestamp"),
  }),
  prompt_suggestion: notification("prompt_suggestion", { suggestion: text }),
  rate_limit_event: notification("rate_limit", { rate_limit_info: rateLimit }),
  "system/commands_changed": notification("commands_changed", { commands: z.array(slashCommand) }),
  "system/control_request_progress": notification("control_request_progress", {
    request_id: text,
    status: text,
    ...nullishFields(number, "attempt", "max_retries", "retry_delay_ms", "error_status"),
  }),
  "system/elicitation_complete": notification("elicitation_complete", {
    mcp_server_name: text,
    elicitation_id: text,
  }),
  "system/files_persisted": notification("files_persisted", {
    files: z.array(z.looseObject({ filename: text, file_id: text })),
    failed: z.array(z.looseObject({ filename: text, error: text })),
    processed_at: nullish(text),
  }),
  "system/init_milestone": notification("init_milestone", {}),
  "system/mirror_error": notification("mirror_error", {
    error: text,
    key: nullish(
      z.looseObject({
        projectKey: nullish(text),
        sessionId: nullish(text),
        subpath: nullish(text),
      }),
    ),
  }),
  "system/notification": notification("notification", {
    key: text,
    text,
    priority: text,
    color: nullish(text),
    timeout_ms: nullish(number),
  }),
  "system/plugin_install": notification("plugin_install", {
    status: text,
    ...nullishFields(text, "name", "error"),
  }),
  "system/prompt_draft_activity": notification("prompt_draft_activity", {}),
  "system/session_metadata": notification("session_metadata", {}),
  "system/session_state_changed": notification("claude_session_state", {
    state: text,
    sdk_host_only: nullish(flag),
  }),
  "system/session_title_changed": notification("session_title_changed", { title: nullish(text) }),
  "system/session_writes_lost": notification("session_writes_lost", {
    error_code: text,
    lost: z.array(text),
    transcript_session_ids: nullish(z.array(text)),
  }),
  "system/turn_handoff_available": notification("turn_handoff_available", {}),
  "system/ui_focus": uiEvent("focus"),
  "system/ui_invalidate": uiEvent("invalidate"),
  "system/ui_log": uiEvent("log"),
  "system/ui_notify": uiEvent("notify"),
  "system/ui_notify_cancel": uiEvent("notify_cancel"),
  "system/ui_panes": uiEvent("panes"),
  "system/ui_placed": uiEvent("placed"),
  "system/ui_scroll": uiEvent("scroll"),
  "system/ui_status": uiEvent("status"),
  "system/ui_toast": uiEvent("toast"),
  "system/vcs_state_changed": notification("vcs_state_changed", {}),
  "system/worker_shutting_down": notification("worker_shutting_down", { reason: text }),
} as const;
