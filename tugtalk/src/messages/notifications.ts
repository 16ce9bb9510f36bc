/**
 * News: kinds of line that Claude prints for display and that a host gets under a name of its own
 * with Claude's fields unchanged. One table gives the inbound schema, the outbound schema and the
 * name. Kinds that tugtalk must understand to do its work are in `protocol-types.ts`.
 */
import { z } from "zod";
import { type Unstamped, withoutReserved } from "./envelope.ts";
import { SESSION_NOTIFICATIONS } from "./notification-session.ts";
import { TASK_NOTIFICATIONS } from "./notification-tasks.ts";
import { TURN_NOTIFICATIONS } from "./notification-turn.ts";

/**
 * Outbound name and fields for each kind: `type` or `type/subtype`. Kinds without fields are printed
 * by Claude and not in its declarations, so that nothing is known of them but the name.
 */
export const NOTIFICATIONS = {
  ...SESSION_NOTIFICATIONS,
  ...TASK_NOTIFICATIONS,
  ...TURN_NOTIFICATIONS,
} as const;

/** A kind of line that is news. */
export type NotificationKind = keyof typeof NOTIFICATIONS;

/** Every outbound message that is news. */
export const NotificationMessage = z.union(Object.values(NOTIFICATIONS).map(({ sent }) => sent));
export type NotificationMessage = z.infer<(typeof NOTIFICATIONS)[NotificationKind]["sent"]>;

/** A line of Claude's that is news, already in the shape that the host gets. */
export type Notification = {
  [Kind in NotificationKind]: {
    readonly type: "notification";
    readonly kind: Kind;
    readonly message: Unstamped<z.infer<(typeof NOTIFICATIONS)[Kind]["sent"]>>;
    readonly session_id: string | undefined;
  };
}[NotificationKind];

/** Tells whether a kind of line is news. */
export function isNotificationKind(kind: string): kind is NotificationKind {
  return Object.hasOwn(NOTIFICATIONS, kind);
}

/** A parsed line of a kind that is news; undefined where a field that is relied on is ill-typed. */
export function parseNotification(
  kind: NotificationKind,
  raw: Readonly<Record<string, unknown>>,
): Notification | undefined {
  const { type: _type, subtype: _subtype, session_id, parent_tool_use_id, ...fields } = raw;
  const parsed = NOTIFICATIONS[kind].parsed.safeParse({
    ...withoutReserved(fields),
    type: NOTIFICATIONS[kind].name,
    ...(typeof parent_tool_use_id === "string" && { parent_tool_use_id }),
  });
  if (!parsed.success) return undefined;
  const sessionId = typeof session_id === "string" ? session_id : undefined;
  // The table pairs each kind with the schema of its message; the compiler cannot follow that.
  return {
    type: "notification",
    kind,
    message: parsed.data,
    session_id: sessionId,
  } as Notification;
}
