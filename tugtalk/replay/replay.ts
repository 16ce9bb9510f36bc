/** `tugtalk replay`: plays a recording, prints the messages of a bridge, and reports. */
import { parseArgs } from "node:util";
import { refuseArguments } from "../src/base/flags.ts";
import { TugtalkError } from "../src/messages/errors.ts";
import { playRecording } from "./player.ts";
import { parseRecording, type Recorded } from "./recording-text.ts";
import { formatReplay, isAsItWas } from "./replay-report.ts";

/** The text of `tugtalk replay --help`. */
export const REPLAY_USAGE = `tugtalk replay: plays a recording of \`tugtalk --record\` again, without Claude

usage: tugtalk replay <file>

stdout has what the bridge sends to the host this time, stderr a report: which lines meant nothing,
and what is not as it was.

exit code: 0 all is as it was, 1 something is not, 2 bad arguments or not a recording
`;

/** Reads the arguments after `replay`. */
export function parseReplayArguments(words: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: { help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
    const [file, another] = positionals;
    if (values.help === true) return { help: true };
    if (file === undefined) return { problem: "the file of a recording is missing" };
    return another === undefined ? { file } : { problem: `one recording at a time: ${another}` };
  } catch (error) {
    return { problem: TugtalkError.from(error).message };
  }
}

/** Runs the sub-command, from its arguments to the exit code. */
export async function runReplay(words: readonly string[]): Promise<void> {
  const { file, problem = "" } = parseReplayArguments(words);
  if (file !== undefined) await replay(file);
  else if (problem === "") console.log(REPLAY_USAGE.trimEnd());
  else refuseArguments(problem, REPLAY_USAGE);
}

function refuse(message: string): void {
  console.error(message);
  process.exitCode = 2;
}

async function replay(file: string): Promise<void> {
  const recorded = await readRecording(file);
  if (typeof recorded === "string") return refuse(recorded);
  const output = openOutput();
  const result = await playRecording(recorded, { onEmitted: output.write });
  await output.flush();
  console.error(formatReplay(result));
  process.exitCode = isAsItWas(result) ? 0 : 1;
}

async function readRecording(file: string): Promise<Recorded | string> {
  try {
    return parseRecording(await Bun.file(file).text());
  } catch (error) {
    return `cannot read ${file}: ${TugtalkError.from(error).message}`;
  }
}

/** Our stdout, whose reader may end early. */
function openOutput() {
  const sink = Bun.stdout.writer();
  // A reader that stops early needs no more; the report is still printed.
  const tolerate = async (write: () => unknown): Promise<void> => {
    await new Promise((resolve) => resolve(write())).catch(() => {});
  };
  return {
    write: (line: string) => void tolerate(() => sink.write(line)),
    flush: () => tolerate(() => sink.flush()),
  };
}
