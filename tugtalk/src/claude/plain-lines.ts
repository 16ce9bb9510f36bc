/**
 * What Claude prints most, checked without a schema: its schema returns such a value as it is. Any other
 * one is not plain, valid or not, and `schema-lines.ts` reads it.
 */
import { notificationFields } from "../messages/notification-fields.ts";
import type { Notification } from "../messages/notifications.ts";
import type { AskUserQuestionInput, ClaudeLine, PermissionRequest } from "../protocol-types.ts";
import {
  isPermission,
  isQuestions,
  PLAIN_LINES,
  PLAIN_NOTIFICATIONS,
} from "./plain-checks.generated.ts";

const LINES = new Map(Object.entries(PLAIN_LINES));
const NOTIFICATIONS = new Map(Object.entries(PLAIN_NOTIFICATIONS));

/** Whether a line of this kind is one that its schema returns as it is. */
export function isPlainLine(kind: string, line: unknown): line is ClaudeLine {
  return LINES.get(kind)?.(line) === true;
}

/** The notification in a line that its schema would pass on as it is; undefined for any other line. */
export function plainNotification(
  kind: string,
  raw: Readonly<Record<string, unknown>>,
): Notification | undefined {
  const row = NOTIFICATIONS.get(kind);
  if (row === undefined) return undefined;
  const message = { ...row.added, ...notificationFields(row.name, raw) };
  if (!row.isPlain(message)) return undefined;
  const session_id = typeof raw["session_id"] === "string" ? raw["session_id"] : undefined;
  // The table pairs each kind with the checks of its message; the compiler cannot follow that.
  return { type: "notification", kind, message, session_id } as Notification;
}

export function isPlainPermission(request: unknown): request is PermissionRequest {
  return isPermission(request);
}

export function isPlainQuestions(input: unknown): input is AskUserQuestionInput {
  return isQuestions(input);
}
