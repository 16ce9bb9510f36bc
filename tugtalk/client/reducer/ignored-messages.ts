/** The messages that change nothing on a page, each with the reason in a comment, which no page has to load. */
import type { OutboundMessage } from "../../src/types.ts";

export const IGNORED_MESSAGES: ReadonlySet<string> = new Set<OutboundMessage["type"]>([
  "process_started", // `session_state` says that Claude starts.
  "session_history_result", // `prependEntries` puts it in front, where a page wants it.
  "transcript_lines", // A copy of messages that the conversation shows.
  "transcript_failed", // About that copy, which a page does not have.
  "transcript_restore_result", // For who has asked for it.
  "host_tool_request", // `tool_use` and `tool_result` show the call.
  "hook_request", // For the host's program; its decisions come as results and remarks.
  "command_lifecycle", // `message_status` has the receipts.
  "claude_session_state", // `session_state` has the state.
  "conversation_reset", // `session_init` with the new id follows.
  "control_request_progress", // The `control_result` follows.
  "elicitation_complete", // The prompt has an end of its own.
  "auth_status", // Belongs to a login, which the caller of the request follows.
  "worker_shutting_down", // `process_exit` follows.
  "channel_closed", // It follows `process_exit`.
  "memory_recall", // Changes nothing in the shown conversation.
  "hook_event", // For the authors of hooks; the decisions of a hook come as results and remarks.
  "thinking_tokens", // An estimate; `cost_update` has the number.
]);
