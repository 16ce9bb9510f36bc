/** Command-line flags, as Node's `parseArgs` understands them. `flag-schemas.ts` checks their values. */

/** The flags as `parseArgs` takes them, without defaults. */
export type FlagOptions = Readonly<
  Record<
    string,
    {
      readonly type: "string" | "boolean";
      readonly short?: string;
      /** Its value is the list of all that were given. */
      readonly multiple?: boolean;
    }
  >
>;

/** The values as they were given, or the first problem. When a flag is given twice, its last value counts. */
export function parseFlags(
  args: readonly string[],
  options: FlagOptions,
): { readonly values: object } | { readonly problem: string } {
  const values = plainFlags(args, options);
  if (values !== undefined) return { values };
  try {
    // Loaded only here, since it takes a tenth of the time of a start.
    const { parseArgs } = process.getBuiltinModule("node:util");
    return { values: parseArgs({ args: [...args], options }).values };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Flags in their usual forms: `--name`, `--name=value` and `--name value`. Undefined if one has another form. */
function plainFlags(args: readonly string[], options: FlagOptions): object | undefined {
  const values: Record<string, string | boolean> = {};
  for (let at = 0; at < args.length; at += 1) {
    const { name, value } = splitFlag(args[at]);
    const { type, multiple } = (Object.hasOwn(options, name) && options[name]) || {};
    if (type === "string" && value === undefined) at += 1;
    const given = type === "string" ? (value ?? notFlag(args[at])) : value === undefined;
    if (type === undefined || multiple === true || given === undefined || given === false)
      return undefined;
    values[name] = given;
  }
  return values;
}

function splitFlag(arg = ""): { readonly name: string; readonly value: string | undefined } {
  const equals = arg.indexOf("=");
  const name = arg.slice(2, equals === -1 ? undefined : equals);
  return {
    name: arg.startsWith("--") ? name : "",
    value: equals === -1 ? undefined : arg.slice(equals + 1),
  };
}

function notFlag(arg = "-"): string | undefined {
  return arg.startsWith("-") ? undefined : arg;
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
