/**
 * Notifications: lines that Claude prints for display. A host gets them under a name of ours, with
 * Claude's fields unchanged. Lines that tugtalk itself acts on are in `protocol-types.ts`.
 */
import { z } from "zod";
import type { Unstamped } from "./envelope.ts";
import { SESSION_NOTIFICATIONS } from "./notification-session.ts";
import { TASK_NOTIFICATIONS } from "./notification-tasks.ts";
import { TURN_NOTIFICATIONS } from "./notification-turn.ts";

/** Named, so that the published declarations have the fields of each kind once. */
type Notifications = typeof SESSION_NOTIFICATIONS &
  typeof TASK_NOTIFICATIONS &
  typeof TURN_NOTIFICATIONS;

/** Name and schemas by Claude's `type` or `type/subtype`. A kind without fields has no published declaration. */
export const NOTIFICATIONS: Notifications = {
  ...SESSION_NOTIFICATIONS,
  ...TASK_NOTIFICATIONS,
  ...TURN_NOTIFICATIONS,
};

export type NotificationKind = keyof typeof NOTIFICATIONS;

/** Every notification to the host. */
export const NotificationMessage = z.union(Object.values(NOTIFICATIONS).map(({ sent }) => sent));
export type NotificationMessage = z.infer<(typeof NOTIFICATIONS)[NotificationKind]["sent"]>;

/** A parsed notification with the message for the host. */
export type Notification = {
  [Kind in NotificationKind]: {
    readonly type: "notification";
    readonly kind: Kind;
    readonly message: Unstamped<z.infer<(typeof NOTIFICATIONS)[Kind]["sent"]>>;
    readonly session_id: string | undefined;
  };
}[NotificationKind];

/** Whether a kind of line is a notification. */
export function isNotificationKind(kind: string): kind is NotificationKind {
  return Object.hasOwn(NOTIFICATIONS, kind);
}
