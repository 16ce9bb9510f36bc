/** The messages that change nothing on a page, each with the reason in a comment, which no page has to load. */
import type { OutboundMessage } from "../../src/types.ts";

export const IGNORED_MESSAGES: ReadonlySet<string> = new Set<OutboundMessage["type"]>([
  "process_started", // `session_state` says that Claude starts.
  "session_history_result", // `prependEntries` puts it in front, where a page wants it.
  "command_lifecycle", // `message_status` has the receipts.
  "claude_session_state", // `session_state` has the state.
  "conversation_reset", // `session_init` with the new id follows.
  "control_request_progress", // The `control_result` follows.
  "elicitation_complete", // The prompt has an end of its own.
  "auth_status", // Belongs to a login, which the caller of the request follows.
  "worker_shutting_down", // `process_exit` follows.
  "channel_closed", // It follows `process_exit`.
  "memory_recall", // Does not change what the conversation shows.
  "hook_event", // For the authors of hooks; what a hook decides comes as results and remarks.
  "thinking_tokens", // An estimate; `cost_update` has the number.
  "ui_event", // For Claude's own screen.
  "autocompact_state", // Has no declared fields.
  "file_attachments_missing", // Has no declared fields.
  "inherited_asks_settled", // Has no declared fields.
  "init_milestone", // Has no declared fields.
  "instruction_size_warning", // Has no declared fields.
  "late_allow_not_run", // Has no declared fields.
  "mcp_tasks", // Has no declared fields.
  "per_turn_effort_changed", // Has no declared fields.
  "permission_check_status", // Has no declared fields.
  "post_turn_summary", // Has no declared fields.
  "prompt_draft_activity", // Has no declared fields.
  "session_metadata", // Has no declared fields.
  "task_summary", // Has no declared fields.
  "turn_handoff_available", // Has no declared fields.
  "vcs_state_changed", // Has no declared fields.
]);
