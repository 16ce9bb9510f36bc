/** Reads lines of Claude with their schemas. */
import type { z } from "zod";
import { isNotificationKind, parseNotification } from "../messages/notifications.ts";
import { CLAUDE_LINES, type ClaudeMessage, RequestHead } from "../protocol-types.ts";

const SCHEMAS: ReadonlyMap<string, z.ZodType<ClaudeMessage>> = new Map(
  Object.entries(CLAUDE_LINES),
);

/** The message; undefined for a line of an unknown kind, and for one that its schema refuses. */
export function readBySchema(
  kind: string,
  raw: Readonly<Record<string, unknown>>,
): ClaudeMessage | undefined {
  if (isNotificationKind(kind)) return parseNotification(kind, raw);
  return SCHEMAS.get(kind)?.safeParse(raw).data;
}

/** What is needed of a request to refuse it. */
export function readRequestHead(raw: unknown): ClaudeMessage | undefined {
  return RequestHead.safeParse(raw).data;
}
