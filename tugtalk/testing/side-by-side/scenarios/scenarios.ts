/** All rows of the comparison, in the order of the table. */
import type { Scenario } from "../scenario.ts";
import { ASKING } from "./asking.ts";
import { HISTORY } from "./history.ts";
import { TEXTS } from "./texts.ts";
import { TOOL_KINDS } from "./tool-kinds.ts";
import { TOOLS } from "./tools.ts";
import { TURNS } from "./turns.ts";
import { WORK } from "./work.ts";

export const SCENARIOS: readonly Scenario[] = [
  ...TEXTS,
  ...TOOLS,
  ...TOOL_KINDS,
  ...ASKING,
  ...WORK,
  ...TURNS,
  ...HISTORY,
];
