/** News of the session and of what is around it: account, limits, commands, files, plugins, screen (§3f). */
import { z } from "zod";
import {
  flag,
  notification,
  object,
  shown,
  shownFlag,
  shownNumber,
  shownText,
  text,
} from "./notification-schema.ts";

/** What a plan's limits allow. */
const rateLimit = object({
  status: text,
  resetsAt: shownNumber,
  rateLimitType: shownText,
  utilization: shownNumber,
  overageStatus: shownText,
  overageResetsAt: shownNumber,
  overageDisabledReason: shownText,
  isUsingOverage: shownFlag,
  overageInUse: shownFlag,
  overageEnabled: shownFlag,
  surpassedThreshold: shownNumber,
  limitScope: shownText,
  errorCode: shownText,
  canUserPurchaseCredits: shownFlag,
  hasChargeableSavedPaymentMethod: shownFlag,
});

const slashCommand = object({
  name: text,
  description: shownText,
  argumentHint: shownText,
  aliases: shown(z.array(text)),
  builtin: shownFlag,
});

const goal = object({
  condition: text,
  iterations: shownNumber,
  set_at: shownNumber,
  tokens_at_start: shownNumber,
  last_reason: shownText,
});

/** A word to a screen that is part of Claude's own; not declared. */
function uiEvent<What extends string>(what: What) {
  return notification("ui_event", {
    /** Which of Claude's kinds this was, without its `ui_`. */
    event: z.literal(what).default(what),
  });
}

export const SESSION_NOTIFICATIONS = {
  active_goal: notification("active_goal", { value: goal.nullable() }),
  auth_status: notification("auth_status", {
    isAuthenticating: flag,
    output: z.array(text),
    error: shownText,
  }),
  autocompact_state: notification("autocompact_state", {}),
  command_lifecycle: notification("command_lifecycle", {
    command_uuid: text,
    state: text,
    wakeup_source: shownText,
  }),
  conversation_reset: notification("conversation_reset", {
    new_conversation_id: text,
    trigger: shownText,
    user_message_uuid: shownText,
    timestamp: shownText,
  }),
  prompt_suggestion: notification("prompt_suggestion", { suggestion: text }),
  rate_limit_event: notification("rate_limit", { rate_limit_info: rateLimit }),
  "system/commands_changed": notification("commands_changed", { commands: z.array(slashCommand) }),
  "system/control_request_progress": notification("control_request_progress", {
    request_id: text,
    status: text,
    attempt: shownNumber,
    max_retries: shownNumber,
    retry_delay_ms: shownNumber,
    error_status: shownNumber,
  }),
  "system/elicitation_complete": notification("elicitation_complete", {
    mcp_server_name: text,
    elicitation_id: text,
  }),
  "system/files_persisted": notification("files_persisted", {
    files: z.array(object({ filename: text, file_id: text })),
    failed: z.array(object({ filename: text, error: text })),
    processed_at: shownText,
  }),
  "system/init_milestone": notification("init_milestone", {}),
  "system/mirror_error": notification("mirror_error", {
    error: text,
    key: shown(object({ projectKey: shownText, sessionId: shownText, subpath: shownText })),
  }),
  "system/notification": notification("notification", {
    key: text,
    text,
    priority: text,
    color: shownText,
    timeout_ms: shownNumber,
  }),
  "system/plugin_install": notification("plugin_install", {
    status: text,
    name: shownText,
    error: shownText,
  }),
  "system/prompt_draft_activity": notification("prompt_draft_activity", {}),
  "system/session_metadata": notification("session_metadata", {}),
  "system/session_state_changed": notification("claude_session_state", {
    state: text,
    sdk_host_only: shownFlag,
  }),
  "system/session_title_changed": notification("session_title_changed", { title: shownText }),
  "system/session_writes_lost": notification("session_writes_lost", {
    error_code: text,
    lost: z.array(text),
    transcript_session_ids: shown(z.array(text)),
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
