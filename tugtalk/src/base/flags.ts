/** The flags of a command line: read by Node's `parseArgs`, their values checked by a schema. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { z } from "zod";

/** The value of a flag that is given. */
export const flagValue = z.string().min(1, "needs a value");

/** A whole number above 0, of so many digits at most. */
export function countFlag(digits: number) {
  const words = `expected a whole number from 1 on, of at most ${digits} digits`;
  return flagValue
    .refine((text) => /^[1-9]\d*$/.test(text) && text.length <= digits, words)
    .transform(Number);
}

/** The flags of these words, or what is wrong with them. A flag that is given twice has its last value. */
export function readFlags<Flags>(
  words: readonly string[],
  options: NonNullable<ParseArgsConfig["options"]>,
  schema: z.ZodType<Flags>,
): { readonly flags: Flags } | { readonly problem: string } {
  try {
    const parsed = schema.safeParse(parseArgs({ args: [...words], options }).values);
    if (parsed.success) return { flags: parsed.data };
    const [issue] = parsed.error.issues;
    return { problem: `--${issue?.path.join(".")}: ${issue?.message}` };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
