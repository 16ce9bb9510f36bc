/** Where a notification comes from, and whether it belongs to the open turn or to the session. */

import { TURN_KINDS } from "../claude/plain-checks.generated.ts";
import type { Notification } from "../messages/notifications.ts";
import type { OutboundDraft } from "../types.ts";
import type { Tasks } from "./tasks.ts";

/** Kinds of notifications about tasks that are about work, too. */
const ABOUT_WORK: ReadonlySet<string> = new Set([
  "system/task_notification",
  "system/task_progress",
  "system/task_started",
  "system/task_updated",
]);

/** Whether a notification is about work of the open turn, unless its subagent is in the background. */
export function isOfTurn({ kind, message }: Notification, tasks: Tasks): boolean {
  const isAboutWork = ABOUT_WORK.has(kind) || TURN_KINDS.has(kind);
  return isAboutWork && !tasks.isBackgroundNotification(message);
}

/** The message for the host, with the subagent that it comes from, where that is known. */
export function fromNotification(notification: Notification, tasks: Tasks): OutboundDraft {
  const { message } = notification;
  const parent_tool_use_id = message.parent_tool_use_id ?? tasks.originOf(notification);
  return parent_tool_use_id === undefined ? message : { ...message, parent_tool_use_id };
}

const HEARTBEAT = /-heartbeat-\d+$/;

/** The same without the additions of a heartbeat: a suffix of its tool's id, and the tool as parent (§3f). */
export function withoutHeartbeat(notification: Notification): Notification {
  if (notification.kind !== "tool_progress") return notification;
  const { parent_tool_use_id, ...progress } = notification.message;
  const tool_use_id = progress.tool_use_id.replace(HEARTBEAT, "");
  const isOwnParent = parent_tool_use_id === undefined || parent_tool_use_id === tool_use_id;
  const parent = !isOwnParent && { parent_tool_use_id };
  return { ...notification, message: { ...progress, tool_use_id, ...parent } };
}
