/** The values of the bridge's flags, as given. */
import { z } from "zod";
import { checkFlags, countText, flagValue } from "../base/flag-schemas.ts";
import { LOG_LEVELS } from "./log.ts";

export const BridgeFlags = z.object({
  dir: flagValue.optional(),
  claude: flagValue.optional(),
  "max-line-bytes": countText(15).optional(),
  "on-eof": z.enum(["interrupt", "drain"]).optional(),
  "idle-exit": countText(6).optional(),
  "state-dir": flagValue.optional(),
  "log-level": z.enum(LOG_LEVELS).optional(),
  record: flagValue.optional(),
  multiplex: z.boolean().optional(),
  "max-channels": countText(6).optional(),
  version: z.boolean().optional(),
  help: z.boolean().optional(),
});
export type BridgeFlags = z.infer<typeof BridgeFlags>;

/** The values, or the first problem. */
export function checkBridgeFlags(values: object) {
  return checkFlags(values, BridgeFlags);
}
