/** Command-line flags: parsed by Node's `parseArgs`, values checked by a zod schema. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { z } from "zod";

/** A flag value that is not empty. */
export const flagValue = z.string().min(1, "needs a value");

/** A whole number from 1 on, of at most `digits` digits. */
export function countFlag(digits: number) {
  const problem = `expected a whole number from 1 on, of at most ${digits} digits`;
  return flagValue
    .refine((text) => /^[1-9]\d*$/.test(text) && text.length <= digits, problem)
    .transform(Number);
}

/** The parsed flags, or the first problem. When a flag is given twice, its last value counts. */
export function readFlags<Flags>(
  args: readonly string[],
  options: NonNullable<ParseArgsConfig["options"]>,
  schema: z.ZodType<Flags>,
): { readonly flags: Flags } | { readonly problem: string } {
  try {
    const parsed = schema.safeParse(parseArgs({ args: [...args], options }).values);
    if (parsed.success) return { flags: parsed.data };
    const [issue] = parsed.error.issues;
    return { problem: `--${issue?.path.join(".")}: ${issue?.message}` };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Reports arguments that cannot be used, with the usage. Sets the exit code 2. */
export function refuseArguments(problem: string, usage: string): void {
  console.error(`${problem}\n\n${usage.trimEnd()}`);
  process.exitCode = 2;
}
