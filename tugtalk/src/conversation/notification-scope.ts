/** Whether a notification belongs to the open turn or to the session. */

import { TURN_NOTIFICATIONS } from "../messages/notification-turn.ts";
import type { Notification } from "../messages/notifications.ts";
import type { OutboundDraft } from "../types.ts";
import type { Tasks } from "./tasks.ts";

/** The kinds of notifications about work. */
const ABOUT_WORK: ReadonlySet<string> = new Set([
  ...Object.keys(TURN_NOTIFICATIONS),
  "system/task_notification",
  "system/task_progress",
  "system/task_started",
  "system/task_updated",
]);

/** Whether a notification is about work of the open turn, unless its subagent is in the background. */
export function isOfTurn({ kind, message }: Notification, tasks: Tasks): boolean {
  if (kind === "tool_progress") return true;
  return ABOUT_WORK.has(kind) && !tasks.isBackgroundNotification(message);
}

const HEARTBEAT = /-heartbeat-\d+$/;

/** The message for the host. A heartbeat names its own tool as parent and adds a suffix to its id (§3f). */
export function fromNotification({ kind, message }: Notification): OutboundDraft {
  if (kind !== "tool_progress") return message;
  const { parent_tool_use_id, ...progress } = message;
  const tool_use_id = message.tool_use_id.replace(HEARTBEAT, "");
  const isOwnParent = parent_tool_use_id === undefined || parent_tool_use_id === tool_use_id;
  return { ...progress, tool_use_id, ...(!isOwnParent && { parent_tool_use_id }) };
}
