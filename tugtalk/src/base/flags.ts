/** Command-line flags, as Node's `parseArgs` understands them, and the checks of their values. */

/** Why a flag does not take a text. */
type Check = (text: string) => string | undefined;

/** The flags as `parseArgs` takes them, without defaults, each with the check of its value. */
type FlagOptions = Readonly<
  Record<
    string,
    {
      readonly type: "string" | "boolean";
      readonly short?: string;
      /** Its value is the list of all given values. */
      readonly multiple?: boolean;
      readonly check?: Check;
    }
  >
>;

type Flags<Options extends FlagOptions> = {
  readonly [Name in keyof Options]?: Options[Name] extends { readonly type: "boolean" }
    ? boolean
    : Options[Name] extends { readonly multiple: true }
      ? readonly string[]
      : string;
};

/** The checked values, or the first problem. No word stands before them. */
export function readFlags<const Options extends FlagOptions>(
  args: readonly string[],
  options: Options,
): { readonly flags: Flags<Options> } | { readonly problem: string } {
  const [word] = args;
  if (word !== undefined && !word.startsWith("-")) return { problem: `unknown word: ${word}` };
  const parsed = parseFlags(args, options);
  if ("problem" in parsed) return parsed;
  const flags: Flags<Options> = parsed.values;
  for (const [name, { type, check }] of Object.entries(options)) {
    const texts = type === "string" ? [flags[name] ?? []].flat() : [];
    const problem = texts.map((text) => check?.(String(text))).find((each) => each !== undefined);
    if (problem !== undefined) return { problem: `--${name}: ${problem}` };
  }
  return { flags };
}

/** The values as they were given, or the first problem. When a flag is given twice, its last value counts. */
function parseFlags(
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

/** Takes any text but the empty one. */
export const present: Check = (text) => (text === "" ? "needs a value" : undefined);

/** Takes a text that `accepts` takes; `problem` says why not another one. */
export function matching(accepts: (text: string) => boolean, problem: string): Check {
  return (text) => present(text) ?? (accepts(text) ? undefined : problem);
}

/** Takes a whole number from 1 on, of at most `digits` digits. */
export function count(digits: number): Check {
  return matching(
    (text) => /^[1-9]\d*$/.test(text) && text.length <= digits,
    `expected a whole number from 1 on, of at most ${digits} digits`,
  );
}

export function oneOf(...values: readonly string[]): Check {
  const names = values.map((value) => `"${value}"`).join("|");
  return (text) => (values.includes(text) ? undefined : `Invalid option: expected one of ${names}`);
}

/** Reports arguments that cannot be used, with the usage. Sets the exit code 2. */
export function refuseArguments(problem: string, usage: string): void {
  console.error(`${problem}\n\n${usage.trimEnd()}`);
  process.exitCode = 2;
}
