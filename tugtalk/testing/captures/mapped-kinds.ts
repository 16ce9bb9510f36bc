/**
 * The registry: every kind of line that tugtalk knows, and the outbound messages that it can lead to.
 * A kind is `type`, with the subtype, block or event after a slash. What leads to nothing is in
 * `meaningless.ts`. Checked by tests against fixtures, captures, PROTOCOL.md and Claude's declarations.
 */
import { NOTIFICATIONS } from "../../src/messages/notifications.ts";
import type { OutboundMessage } from "../../src/types.ts";

type Names = readonly OutboundMessage["type"][];

const result: Names = ["cost_update", "turn_complete", "control_request_cancel"];
const refused: Names = ["error"];

/** Kinds that tugtalk must understand to do its work. */
const UNDERSTOOD: Readonly<Record<string, Names>> = {
  "assistant/fallback": ["model_fallback"],
  "assistant/redacted_thinking": ["thinking_text"],
  "assistant/supersedes": ["message_retracted"],
  "assistant/text": ["assistant_text", "user_text"],
  "assistant/thinking": ["thinking_text"],
  "assistant/tool_use": ["tool_use"],
  control_cancel_request: ["control_request_cancel"],
  "control_request/can_use_tool": ["control_request_forward"],
  "control_request/elicitation": ["elicitation_request"],
  "control_request/hook_callback": refused,
  "control_request/host_auth_token_refresh": refused,
  "control_request/mcp_message": refused,
  "control_request/oauth_token_refresh": refused,
  "control_request/remote_control_work_secret": refused,
  "control_request/request_user_dialog": ["dialog_request", "error"],
  "control_request/ui_copy": refused,
  "control_request/ui_prompt_fill": refused,
  "control_request/ui_prompt_paint": refused,
  "control_request/ui_prompt_read": refused,
  "control_request/ui_prompt_suggest": refused,
  "control_request/ui_read_selection": refused,
  "control_response/error": ["control_result"],
  "control_response/success": [
    "control_result",
    "model_changed",
    "permission_mode_changed",
    "session_capabilities",
  ],
  "result/error_during_execution": result,
  "result/error_max_budget_usd": result,
  "result/error_max_structured_output_retries": result,
  "result/error_max_turns": result,
  "result/success": [...result, "user_text"],
  "stream_event/content_block_delta/input_json_delta": ["tool_input_delta"],
  "stream_event/content_block_delta/text_delta": ["assistant_text"],
  "stream_event/content_block_delta/thinking_delta": ["thinking_text"],
  "stream_event/content_block_start": ["tool_use"],
  "system/compact_boundary": ["compact_boundary"],
  "system/init": ["system_metadata", "model_changed", "permission_mode_changed", "session_init"],
  "system/status/compacting": ["session_state"],
  "system/status/permissionMode": ["permission_mode_changed"],
  "user/command_output": ["user_text"],
  "user/text": ["user_text"],
  "user/tool_result": ["tool_result", "tool_use_structured"],
};

/** What each kind can lead to, besides receipts, the bounds of turns and blocks, and `session_state`. */
export const MAPPED: Readonly<Record<string, Names>> = {
  ...UNDERSTOOD,
  ...Object.fromEntries(Object.entries(NOTIFICATIONS).map(([kind, { name }]) => [kind, [name]])),
};
