/** Checks the values of command-line flags with a schema. */
import { z } from "zod";
import { type FlagOptions, isCount, parseFlags } from "./flags.ts";

/** A flag value that is not empty. */
export const flagValue = z.string().min(1, "needs a value");

/** A whole number from 1 on, of at most `digits` digits, as text. */
export function countText(digits: number) {
  const problem = `expected a whole number from 1 on, of at most ${digits} digits`;
  return flagValue.refine((text) => isCount(text, digits), problem);
}

/** The same, as a number. */
export function countFlag(digits: number) {
  return countText(digits).transform(Number);
}

/** The parsed flags, or the first problem. */
export function readFlags<Flags>(
  args: readonly string[],
  options: FlagOptions,
  schema: z.ZodType<Flags>,
): { readonly flags: Flags } | { readonly problem: string } {
  const parsed = parseFlags(args, options);
  return "problem" in parsed ? parsed : checkFlags(parsed.values, schema);
}

/** The checked values, or the first problem. */
export function checkFlags<Flags>(
  values: object,
  schema: z.ZodType<Flags>,
): { readonly flags: Flags } | { readonly problem: string } {
  const { data, error } = schema.safeParse(values);
  if (data !== undefined) return { flags: data };
  const [issue] = error?.issues ?? [];
  // Of a flag that may be repeated, the path has the place in the list, too.
  return { problem: `--${String(issue?.path[0])}: ${issue?.message}` };
}
