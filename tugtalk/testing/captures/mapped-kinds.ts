/**
 * The registry: every kind of line with the outbound messages that it can lead to. A kind is `type`,
 * then a slash and the subtype, block or event. Ignored kinds are in `ignored-kinds.ts`. Tests compare
 * it with fixtures, captures and the published declarations; the reference of the wire has a table of it.
 */
import { NOTIFICATIONS } from "../../src/messages/notifications.ts";
import type { OutboundMessage } from "../../src/types.ts";

type Names = readonly OutboundMessage["type"][];

const result: Names = ["cost_update", "turn_complete", "control_request_cancel"];
const refused: Names = ["error"];

/** Kinds that tugtalk acts on. */
const HANDLED: Readonly<Record<string, Names>> = {
  "assistant/fallback": ["model_fallback"],
  "assistant/redacted_thinking": ["thinking_text"],
  "assistant/supersedes": ["message_retracted"],
  "assistant/text": ["assistant_text", "user_text"],
  "assistant/thinking": ["thinking_text"],
  "assistant/tool_use": ["tool_use"],
  control_cancel_request: ["control_request_cancel"],
  "control_request/can_use_tool": ["control_request_forward"],
  "control_request/elicitation": ["elicitation_request"],
  "control_request/hook_callback": ["hook_request", ...refused],
  "control_request/host_auth_token_refresh": refused,
  "control_request/mcp_message": ["host_tool_request", ...refused],
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
  "system/status/compact_result": ["compaction_result"],
  "system/status/compacting": ["session_state"],
  "system/status/permissionMode": ["permission_mode_changed"],
  "user/command_output": ["user_text"],
  "user/text": ["user_text"],
  "user/tool_result": ["tool_result", "tool_use_structured"],
};

/** The messages of each kind, without receipts, starts of turns, ends of blocks and messages, and `session_state`. */
export const MAPPED: Readonly<Record<string, Names>> = {
  ...HANDLED,
  ...Object.fromEntries(Object.entries(NOTIFICATIONS).map(([kind, { name }]) => [kind, [name]])),
};
