/** Where a piece of news belongs: to the open turn and a lane of it, or to the session. */
import type { Lane } from "./blocks.ts";
import type { News } from "./news.ts";
import type { Tasks } from "./tasks.ts";
import type { OutboundDraft } from "./types.ts";

export type NewsPlace = {
  readonly message: OutboundDraft;
  readonly isOfTurn: boolean;
  readonly lane: Lane;
};

/** Says where news belongs. That of the session and of background tasks is of no turn. */
export function placeOfNews({ kind, message }: News, tasks: Tasks): NewsPlace {
  if (kind === "tool_progress") {
    return { message: withoutHeartbeat(message), isOfTurn: true, lane: laneOfProgress(message) };
  }
  const taskOf = "tool_use_id" in message ? message.tool_use_id : undefined;
  const isBackground = typeof taskOf === "string" && tasks.isBackground(taskOf);
  return {
    message,
    isOfTurn: TURN_NEWS.has(kind) && !isBackground,
    lane: message.parent_tool_use_id,
  };
}

/** News that is about what the open turn does. */
const TURN_NEWS: ReadonlySet<News["kind"]> = new Set<News["kind"]>([
  "tool_use_summary",
  "system/api_retry",
  "system/hook_progress",
  "system/hook_response",
  "system/hook_started",
  "system/informational",
  "system/local_command_output",
  "system/memory_recall",
  "system/model_fallback",
  "system/model_refusal_fallback",
  "system/model_refusal_no_fallback",
  "system/permission_denied",
  "system/task_notification",
  "system/task_progress",
  "system/task_started",
  "system/task_updated",
  "system/thinking_tokens",
]);

type Progress = Extract<News, { kind: "tool_progress" }>["message"];

const HEARTBEAT = /-heartbeat-\d+$/;

/** A heartbeat names its own tool as parent and adds a suffix to its id: both mislead (§3f). */
function withoutHeartbeat({ parent_tool_use_id: _parent, ...message }: Progress): OutboundDraft {
  return { ...message, tool_use_id: message.tool_use_id.replace(HEARTBEAT, "") };
}

function laneOfProgress({ tool_use_id, parent_tool_use_id }: Progress): Lane {
  return tool_use_id.replace(HEARTBEAT, "") === parent_tool_use_id ? undefined : parent_tool_use_id;
}
