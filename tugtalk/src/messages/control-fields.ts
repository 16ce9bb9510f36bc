/** The parts of the schemas of the arguments of control requests. */
import { z } from "zod";
import { jsonObject, jsonRecord } from "../base/json-schemas.ts";
import { NUL_FREE, refuseNul } from "./message-schemas.ts";

const text = z.string();
const name = text.min(1);
const settings = jsonObject.describe("Settings in Claude's format; null removes one.");

export const CONTROL_FIELDS = {
  z,
  text,
  name,
  flag: z.boolean().optional(),
  count: z.number().int().positive().optional(),
  serverName: name.describe("The MCP server."),
  settings,
  nulFreeSettings: settings.superRefine(refuseNul).meta(NUL_FREE),
  jsonObject,
  jsonRecord,
};
