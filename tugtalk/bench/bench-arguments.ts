/** The flags of benchmarks, and the handling of wrong arguments: one line, and an exit code of their own. */

/** The exit code for wrong arguments. */
export const WRONG_ARGUMENTS = 2;

/** The flags of each benchmark that has further ones than `--short`, for `parseArgs`. */
export const PEERS_FLAGS = {
  short: { type: "boolean" },
  rounds: { type: "string" },
  only: { type: "string" },
  contenders: { type: "string" },
  table: { type: "string" },
} as const;
export const CHANNELS_FLAGS = { rounds: { type: "string", default: "10" } } as const;
export const HOST_SESSIONS_FLAGS = { "stand-in": { type: "boolean" } } as const;

/** The flags of a comparison with another checkout. */
export const PAIRED_FLAGS = {
  against: { type: "string", default: "" },
  rounds: { type: "string", default: "5" },
  only: { type: "string" },
} as const;

/** A fault in the arguments. */
export class ArgumentError extends Error {}

/** Runs a function that reads arguments. If they are wrong, prints one line and sets the exit code. */
export async function endOnWrongArguments(name: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isWrongArgument(error)) throw error;
    const [problem] = error.message.split(". ");
    console.error(`${name}: ${problem}; npm run bench -- --help says more`);
    process.exitCode = WRONG_ARGUMENTS;
  }
}

/** A whole number from 1 on; throws otherwise. */
export function parseRounds(text: string): number {
  if (!/^[1-9]\d*$/.test(text))
    throw new ArgumentError(`--rounds=${text}: a whole number from 1 on`);
  return Number(text);
}

/** The named ones, with commas in between, or all; throws for an unknown name. */
export function chosen<T extends { readonly name: string }>(
  all: readonly T[],
  names: string | undefined,
): readonly T[] {
  if (names === undefined) return all;
  return names.split(",").map((wanted) => {
    const found = all.find(({ name }) => name === wanted);
    if (found !== undefined) return found;
    const known = all.map(({ name }) => name).join(", ");
    throw new ArgumentError(`there is no ${wanted}; there are ${known}`);
  });
}

/** Whether an error is ours about arguments, or one of `parseArgs`. */
function isWrongArgument(error: unknown): error is Error {
  if (error instanceof ArgumentError) return true;
  return error instanceof Error && "code" in error && /^ERR_PARSE_ARGS_/.test(String(error.code));
}
