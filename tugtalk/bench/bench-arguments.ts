/** Arguments of a benchmark that cannot be used: one line, and an exit code of their own. */

/** The exit code where the arguments are wrong. */
export const WRONG_ARGUMENTS = 2;

/** What is wrong with the arguments. */
export class ArgumentError extends Error {}

/** Runs what reads arguments. Where they are wrong, it prints one line and sets the exit code. */
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

/** Of ours, or of `parseArgs`. */
function isWrongArgument(error: unknown): error is Error {
  if (error instanceof ArgumentError) return true;
  return error instanceof Error && "code" in error && /^ERR_PARSE_ARGS_/.test(String(error.code));
}
