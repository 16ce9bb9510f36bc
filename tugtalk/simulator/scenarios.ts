/**
 * The scenarios: conversations made for builders of frontends, each with something to draw. Every one
 * is a file in `scenarios/`, whose first line is a note of what it shows and what to type.
 */
import { z } from "zod";
import demonstration from "./scenarios/demonstration.jsonl" with { type: "text" };
import protocol from "./scenarios/protocol.jsonl" with { type: "text" };

const TEXTS: Readonly<Record<string, string>> = { demonstration, protocol };

/** The scenario that is played when none is named. */
export const DEFAULT_SCENARIO = "demonstration";

/** What the first line of a scenario says about it. */
const Summary = z.object({
  dir: z.literal("note"),
  msg: z.object({ shows: z.string(), type: z.string() }),
});

export type Scenario = {
  readonly name: string;
  readonly shows: string;
  /** What to type, turn by turn. */
  readonly type: string;
};

/** All scenarios, the default first. */
export function listScenarios(): readonly Scenario[] {
  return Object.entries(TEXTS).map(([name, text]) => {
    const [first = ""] = text.split("\n", 1);
    return { name, ...Summary.parse(JSON.parse(first)).msg };
  });
}

/** The conversation file of a scenario. Throws with the list of names when there is none. */
export function scenarioText(name: string): string {
  const text = Object.hasOwn(TEXTS, name) ? TEXTS[name] : undefined;
  if (text !== undefined) return text;
  throw new Error(`no scenario "${name}"; there are ${Object.keys(TEXTS).join(", ")}`);
}
