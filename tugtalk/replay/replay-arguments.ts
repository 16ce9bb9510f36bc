/** The command line of `tugtalk replay`. */
import { splitAtEquals } from "../src/arguments.ts";

export type ReplayArguments = {
  readonly file: string;
  /** How many times as fast as it was; absent: at once. */
  readonly speed: number | undefined;
};

/** The words of `tugtalk replay --help`. */
export const REPLAY_USAGE = `tugtalk replay: plays a recording of \`tugtalk --record\` again, without Claude

usage: tugtalk replay <file> [options]

  --speed <n>   n times as fast as it was, 1 being real time (default: at once)
  --help        print this text and end

stdout has what the bridge tells the host this time, stderr a report: what meant nothing, and what
is otherwise than it was.

exit code: 0 all is as it was, 1 something is otherwise, 2 bad arguments or not a recording
`;

/** Reads the words after `replay`. Values follow as the next word or after `=`. */
export function parseReplayArguments(
  words: readonly string[],
): ReplayArguments | { readonly help: true } | { readonly problem: string } {
  let args: Partial<ReplayArguments> = {};
  const rest = words.flatMap(splitAtEquals);
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--help" || word === "-h") return { help: true };
    if (!word.startsWith("-") && args.file !== undefined)
      return { problem: `one recording at a time: ${word}` };
    const chosen = choose(word, rest);
    if (typeof chosen === "string") return { problem: chosen };
    args = { ...args, ...chosen };
  }
  const { file, speed } = args;
  return file === undefined ? { problem: "the file of a recording is missing" } : { file, speed };
}

/** What one word sets, or what is wrong with it. Takes its value from `rest`. */
function choose(word: string, rest: string[]): Partial<ReplayArguments> | string {
  if (!word.startsWith("-")) return { file: word };
  if (word !== "--speed") return `unknown argument: ${word}`;
  const text = rest.shift() ?? "";
  const isValid = /^\d{1,6}(\.\d{1,6})?$/.test(text) && Number(text) > 0;
  return isValid ? { speed: Number(text) } : `${word}: not a valid value: ${text}`;
}
