/** The fields of the commands about the surroundings of sessions: files, folders, costs, the host itself. */
import { z } from "zod";
import { PAGE_SIZES, SESSION_CURSOR } from "../../src/messages/history-messages.ts";
import { countUpTo, name, ofSession } from "./common-fields.ts";

const MAX_COST_DAYS = 366;

const none = z.strictObject({});

const Costs = z.strictObject({
  days: countUpTo(MAX_COST_DAYS).default(30),
  time_zone: name.refine(isTimeZone, "is not known").optional(),
});
export type CostFields = z.infer<typeof Costs>;

export const HOST_COMMANDS = {
  files: z.strictObject({ ...ofSession, q: z.string().max(1000).default("") }),
  export: z.strictObject({ ...ofSession, format: z.enum(["md", "json"]).default("md") }),
  dirs: z.strictObject({ path: name.optional() }),
  history: z.strictObject({
    dir: name.optional(),
    place: name.optional(),
    limit: countUpTo(PAGE_SIZES.sessions.max).optional(),
    before: z.string().regex(SESSION_CURSOR, "is no next of a page").optional(),
  }),
  costs: Costs,
  search: z.strictObject({
    q: z.string().max(500),
    limit: countUpTo(100).default(20),
    before: z.coerce.number<number>().int().positive().optional(),
  }),
  sizes: none,
  backup: z.strictObject({ file: name }),
  revoke: none,
  places: none,
  health: none,
  page: none,
};

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
