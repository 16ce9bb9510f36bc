/** Where a piece of news belongs: to the open turn and a lane of it, or to the session. */

import { TURN_NOTIFICATIONS } from "../messages/notification-turn.ts";
import type { Notification } from "../messages/notifications.ts";
import type { OutboundDraft } from "../types.ts";
import type { ParentToolUseId } from "./blocks.ts";
import type { Tasks } from "./tasks.ts";

export type NotificationScope = {
  readonly message: OutboundDraft;
  readonly isOfTurn: boolean;
  readonly parentToolUseId: ParentToolUseId;
};

/** Says where news belongs. That of the session and of background tasks is of no turn. */
export function scopeOfNotification(
  { kind, message }: Notification,
  tasks: Tasks,
): NotificationScope {
  if (kind === "tool_progress") {
    return {
      message: withoutHeartbeat(message),
      isOfTurn: true,
      parentToolUseId: laneOfProgress(message),
    };
  }
  const isOfTurn = OF_TURN.has(kind) && !tasks.isBackgroundNews(message);
  return { message, isOfTurn, parentToolUseId: message.parent_tool_use_id };
}

/** News that is about what the open turn does. */
const OF_TURN: ReadonlySet<string> = new Set([
  ...Object.keys(TURN_NOTIFICATIONS),
  "system/task_notification",
  "system/task_progress",
  "system/task_started",
  "system/task_updated",
]);

type Progress = Extract<Notification, { kind: "tool_progress" }>["message"];

const HEARTBEAT = /-heartbeat-\d+$/;

/** A heartbeat names its own tool as parent and adds a suffix to its id: both mislead (§3f). */
function withoutHeartbeat({ parent_tool_use_id: _parent, ...message }: Progress): OutboundDraft {
  return { ...message, tool_use_id: message.tool_use_id.replace(HEARTBEAT, "") };
}

function laneOfProgress({ tool_use_id, parent_tool_use_id }: Progress): ParentToolUseId {
  return tool_use_id.replace(HEARTBEAT, "") === parent_tool_use_id ? undefined : parent_tool_use_id;
}
