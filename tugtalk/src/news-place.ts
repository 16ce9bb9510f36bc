/** Where a piece of news belongs: to the open turn and a lane of it, or to the session. */
import type { Lane } from "./blocks.ts";
import type { News } from "./news.ts";
import { TURN_NEWS } from "./news-turn.ts";
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
  const isBackground = tasks.isBackground(toolUseOf(message, tasks));
  return {
    message,
    isOfTurn: OF_TURN.has(kind) && !isBackground,
    lane: message.parent_tool_use_id,
  };
}

/** The tool call that news is about; some news of a task names the task only. */
function toolUseOf(message: News["message"], tasks: Tasks): string | undefined {
  const toolUseId = "tool_use_id" in message ? message.tool_use_id : undefined;
  if (typeof toolUseId === "string") return toolUseId;
  const taskId = "task_id" in message ? message.task_id : undefined;
  return typeof taskId === "string" ? tasks.toolUseOf(taskId) : undefined;
}

/** News that is about what the open turn does. */
const OF_TURN: ReadonlySet<string> = new Set([
  ...Object.keys(TURN_NEWS),
  "system/task_notification",
  "system/task_progress",
  "system/task_started",
  "system/task_updated",
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
