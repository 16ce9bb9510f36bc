/** Schemas of the fields that several commands have. */
import { z } from "zod";

/** The most characters of an id, a name or a path. */
const MAX_NAME_CHARS = 4096;

/** A text without NUL, which no path has and PostgreSQL refuses. */
export const name = z
  .string()
  .min(1)
  .max(MAX_NAME_CHARS)
  .refine((text) => !text.includes("\0"), "has a NUL character");

/** A title of a session. */
export const title = z.string().trim().min(1).max(500);

/** The most US dollars of a session. */
export const limit = z.number().positive();

/** The fields of each command about one session. */
export const ofSession = { id: name };

/** A number from 1 to `max`, which is a text in a query. */
export function countUpTo(max: number) {
  return z.coerce.number<number>().int().min(1).max(max);
}

/** True or false; `1` or `0` in a query. */
export const flag = z.union([
  z.boolean(),
  z.enum(["0", "1", "true", "false"]).transform((text) => text === "1" || text === "true"),
]);
