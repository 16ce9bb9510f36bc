/** Turns one message of the bridge into updates for the client. Pure. */
import type { OutboundDraft } from "../../src/types.ts";
import type { Before } from "./file-diff.ts";
import {
  compactionUpdates,
  noticed,
  noticeUpdates,
  sessionState,
  toolUpdates,
} from "./late-updates.ts";
import {
  commandsChanged,
  costUpdate,
  messageComplete,
  modelChanged,
  permissionModeChanged,
  sessionCapabilities,
  sessionInit,
  sessionTitleChanged,
  systemMetadata,
} from "./session-updates.ts";
import { assistantText, thinkingText, userText } from "./text-updates.ts";
import {
  processExit,
  processStarted,
  turnCancelled,
  turnComplete,
  turnStarted,
} from "./turn-updates.ts";
import { marked, type Row, type Step, stepTo, type UpdateState } from "./update-state.ts";

/** A row for each type of message; undefined where ACP has no form. */
const ROWS: { readonly [Type in OutboundDraft["type"]]: Row<Type> | undefined } = {
  protocol_ack: undefined,
  process_started: processStarted,
  process_exit: processExit,
  session_init: sessionInit,
  session_capabilities: sessionCapabilities,
  system_metadata: systemMetadata,
  session_state: sessionState,
  permission_mode_changed: permissionModeChanged,
  model_changed: modelChanged,
  channel_closed: undefined,
  message_status: undefined,
  turn_started: turnStarted,
  turn_complete: turnComplete,
  turn_cancelled: turnCancelled,
  user_text: userText,
  assistant_text: assistantText,
  thinking_text: thinkingText,
  message_retracted: (...step) => noticeUpdates().messageRetracted(...step),
  message_complete: messageComplete,
  tool_use: (...step) => toolUpdates().toolUse(...step),
  tool_input_delta: undefined,
  tool_result: (...step) => toolUpdates().toolResult(...step),
  tool_use_structured: (...step) => toolUpdates().toolUseStructured(...step),
  compact_boundary: (...step) => compactionUpdates().compactBoundary(...step),
  compaction_result: (...step) => compactionUpdates().compactionResult(...step),
  control_request_forward: undefined,
  elicitation_request: undefined,
  dialog_request: undefined,
  control_request_resolved: undefined,
  control_request_cancel: undefined,
  host_tool_request: undefined,
  hook_request: undefined,
  control_result: undefined,
  cost_update: costUpdate,
  session_list_result: undefined,
  session_history_result: undefined,
  transcript_lines: undefined,
  transcript_failed: undefined,
  transcript_restore_result: undefined,
  unknown_event: undefined,
  error: (...step) => noticeUpdates().failed(...step),
  active_goal: undefined,
  auth_status: undefined,
  command_lifecycle: undefined,
  conversation_reset: undefined,
  prompt_suggestion: undefined,
  rate_limit: (...step) => noticeUpdates().rateLimit(...step),
  commands_changed: commandsChanged,
  control_request_progress: undefined,
  elicitation_complete: undefined,
  files_persisted: noticed,
  mirror_error: noticed,
  notification: noticed,
  plugin_install: noticed,
  claude_session_state: undefined,
  session_title_changed: sessionTitleChanged,
  session_writes_lost: noticed,
  worker_shutting_down: undefined,
  background_tasks: undefined,
  task_notification: (...step) => toolUpdates().taskNotification(...step),
  task_progress: undefined,
  task_started: (...step) => toolUpdates().taskStarted(...step),
  task_updated: undefined,
  tool_progress: undefined,
  tool_use_summary: undefined,
  api_retry: noticed,
  hook_event: undefined,
  informational: noticed,
  local_command_output: noticed,
  memory_recall: undefined,
  model_fallback: noticed,
  model_refusal_fallback: noticed,
  model_refusal_no_fallback: noticed,
  permission_denied: (...step) => noticeUpdates().permissionDenied(...step),
  thinking_tokens: undefined,
};

export function updatesOf(state: UpdateState, message: OutboundDraft, before?: Before): Step {
  // The row of a type takes the messages of that type.
  const row = ROWS[message.type] as Row<OutboundDraft["type"]> | undefined;
  const step = row === undefined ? wholeMessage(state, message) : row(state, message, before);
  const turnId = turnOf(state, message);
  const trigger = turnId === undefined ? undefined : state.ownTurns.get(turnId);
  if (trigger === undefined || step.updates.length === 0) return step;
  return { ...step, updates: step.updates.map((update) => marked(update, { turnId, trigger })) };
}

/** The turn of a message. Messages about a compaction do not name it: it is the open turn. */
function turnOf({ ownTurns }: UpdateState, message: OutboundDraft): string | undefined {
  if ("turn_id" in message && message.turn_id !== undefined) return message.turn_id;
  return OF_COMPACTION.has(message.type) ? [...ownTurns.keys()].at(-1) : undefined;
}

const OF_COMPACTION: ReadonlySet<string> = new Set([
  "session_state",
  "compact_boundary",
  "compaction_result",
]);

/** A message that ACP has no form for, for a client that knows the messages of the bridge. */
function wholeMessage(state: UpdateState, message: OutboundDraft): Step {
  if (!state.features.messages || ANSWERS.has(message.type)) return stepTo(state);
  return stepTo(state, { sessionUpdate: "session_info_update", _meta: { tugtalk: { message } } });
}

/** The bridge's answers to requests of the ACP agent. */
const ANSWERS: ReadonlySet<string> = new Set([
  "control_result",
  "session_history_result",
  "session_list_result",
]);
