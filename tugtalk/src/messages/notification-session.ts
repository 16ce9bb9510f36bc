/** News of the session and of what is around it: account, limits, commands, files, plugins, screen (§3f). */
import { z } from "zod";
import {
  flag,
  news,
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
  return news("ui_event", {
    /** Which of Claude's kinds this was, without its `ui_`. */
    event: z.literal(what).default(what),
  });
}

export const SESSION_NEWS = {
  active_goal: news("active_goal", { value: goal.nullable() }),
  auth_status: news("auth_status", {
    isAuthenticating: flag,
    output: z.array(text),
    error: shownText,
  }),
  autocompact_state: news("autocompact_state", {}),
  command_lifecycle: news("command_lifecycle", {
    command_uuid: text,
    state: text,
    wakeup_source: shownText,
  }),
  conversation_reset: news("conversation_reset", {
    new_conversation_id: text,
    trigger: shownText,
    user_message_uuid: shownText,
    timestamp: shownText,
  }),
  prompt_suggestion: news("prompt_suggestion", { suggestion: text }),
  rate_limit_event: news("rate_limit", { rate_limit_info: rateLimit }),
  "system/commands_changed": news("commands_changed", { commands: z.array(slashCommand) }),
  "system/control_request_progress": news("control_request_progress", {
    request_id: text,
    status: text,
    attempt: shownNumber,
    max_retries: shownNumber,
    retry_delay_ms: shownNumber,
    error_status: shownNumber,
  }),
  "system/elicitation_complete": news("elicitation_complete", {
    mcp_server_name: text,
    elicitation_id: text,
  }),
  "system/files_persisted": news("files_persisted", {
    files: z.array(object({ filename: text, file_id: text })),
    failed: z.array(object({ filename: text, error: text })),
    processed_at: shownText,
  }),
  "system/init_milestone": news("init_milestone", {}),
  "system/mirror_error": news("mirror_error", {
    error: text,
    key: shown(object({ projectKey: shownText, sessionId: shownText, subpath: shownText })),
  }),
  "system/notification": news("notification", {
    key: text,
    text,
    priority: text,
    color: shownText,
    timeout_ms: shownNumber,
  }),
  "system/plugin_install": news("plugin_install", {
    status: text,
    name: shownText,
    error: shownText,
  }),
  "system/prompt_draft_activity": news("prompt_draft_activity", {}),
  "system/session_metadata": news("session_metadata", {}),
  "system/session_state_changed": news("claude_session_state", {
    state: text,
    sdk_host_only: shownFlag,
  }),
  "system/session_title_changed": news("session_title_changed", { title: shownText }),
  "system/session_writes_lost": news("session_writes_lost", {
    error_code: text,
    lost: z.array(text),
    transcript_session_ids: shown(z.array(text)),
  }),
  "system/turn_handoff_available": news("turn_handoff_available", {}),
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
  "system/vcs_state_changed": news("vcs_state_changed", {}),
  "system/worker_shutting_down": news("worker_shutting_down", { reason: text }),
} as const;
