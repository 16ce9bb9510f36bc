/** What every message from the host has in common. */
import { z } from "zod";
import { isJsonObject } from "./json.ts";

/** The schema of one host message. Keys of a newer host are dropped. */
export function inbound<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  fields: Fields,
) {
  return z.object({ type: z.literal(type), id: z.string().optional() }).extend(fields);
}

/** The id of a conversation, in lower case: so Claude writes it, and a file of another name is not found. */
export const SessionId = z.uuid().toLowerCase();

/**
 * Adds an issue for each text and each key that holds a NUL. For what may become an argument or an
 * environment entry of Claude, which cannot hold one.
 */
export function refuseNul(
  value: unknown,
  context: z.RefinementCtx,
  path: readonly string[] = [],
): void {
  if (typeof value === "string" && value.includes("\0"))
    context.addIssue({ code: "custom", path: [...path], message: "holds a NUL character" });
  if (!isJsonObject(value) && !Array.isArray(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key.includes("\0"))
      context.addIssue({ code: "custom", path: [...path], message: "a key holds a NUL character" });
    else refuseNul(inner, context, [...path, key]);
  }
}
