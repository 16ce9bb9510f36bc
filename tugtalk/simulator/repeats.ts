/**
 * Long values in conversation files: `{"$repeat": "line {n}", "count": 3, "join": "\n"}` stands for the
 * texts `line 1`, `line 2` and `line 3`: as one text with `join`, and without it as elements of the array
 * that it is in, or as one text where that is no array.
 */
import { z } from "zod";
import { isObject } from "./json-value.ts";

const Repeat = z.strictObject({
  $repeat: z.string(),
  count: z.number().int().positive().max(100_000),
  join: z.string().optional(),
});

/** `value` with every repetition written out, at any depth. Throws if one is not as above. */
export function expandRepeats(value: unknown): unknown {
  if (Array.isArray(value)) return value.flatMap(expandElement);
  if (!isObject(value)) return value;
  if ("$repeat" in value) {
    const { texts, join = "" } = readRepeat(value);
    return texts.join(join);
  }
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, inner]) => [key, expandRepeats(inner)]));
}

function expandElement(element: unknown): unknown[] {
  if (!isObject(element) || !("$repeat" in element) || "join" in element)
    return [expandRepeats(element)];
  return readRepeat(element).texts;
}

function readRepeat(value: unknown) {
  const { $repeat, count, join } = Repeat.parse(value);
  const texts = Array.from({ length: count }, (_, index) =>
    $repeat.replaceAll("{n}", String(index + 1)),
  );
  return { texts, join };
}
