/** Reads lines of Claude with their schemas. */
import type { z } from "zod";
import type { Fields } from "../base/json.ts";
import { notificationFields, notificationOf } from "../messages/notification-fields.ts";
import { isNotificationKind, NOTIFICATIONS } from "../messages/notifications.ts";
import { CLAUDE_LINES, type ClaudeMessage, RequestHead } from "../protocol-types.ts";

const SCHEMAS: ReadonlyMap<string, z.ZodType<ClaudeMessage>> = new Map(
  Object.entries(CLAUDE_LINES),
);

/** The message; undefined if the kind is unknown, or its schema refuses the line. */
export function readBySchema(kind: string, raw: Fields): ClaudeMessage | undefined {
  if (!isNotificationKind(kind)) return SCHEMAS.get(kind)?.safeParse(raw).data;
  const { name, parsed } = NOTIFICATIONS[kind];
  const message = parsed.safeParse(notificationFields(name, raw)).data;
  return message && notificationOf(kind, raw, message);
}

/** The fields of a request that a refusal needs. */
export function readRequestHead(raw: unknown): ClaudeMessage | undefined {
  return RequestHead.safeParse(raw).data;
}
