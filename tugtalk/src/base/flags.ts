/** Command-line flags, parsed by Node's `parseArgs`. `flag-schemas.ts` checks their values. */
import { type ParseArgsConfig, parseArgs } from "node:util";

/** The flags as `parseArgs` takes them. */
export type FlagOptions = NonNullable<ParseArgsConfig["options"]>;

/** The values as they were given, or the first problem. When a flag is given twice, its last value counts. */
export function parseFlags(
  args: readonly string[],
  options: FlagOptions,
): { readonly values: object } | { readonly problem: string } {
  try {
    return { values: parseArgs({ args: [...args], options }).values };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether a text is a whole number from 1 on, of at most `digits` digits. */
export function isCount(text: string, digits: number): boolean {
  return /^[1-9]\d*$/.test(text) && text.length <= digits;
}

/** Reports arguments that cannot be used, with the usage. Sets the exit code 2. */
export function refuseArguments(problem: string, usage: string): void {
  console.error(`${problem}\n\n${usage.trimEnd()}`);
  process.exitCode = 2;
}
