/** What every message from the host has in common. */
import { z } from "zod";

/** The schema of one host message. Keys of a newer host are dropped. */
export function inbound<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  fields: Fields,
) {
  return z.object({ type: z.literal(type), id: z.string().optional() }).extend(fields);
}
