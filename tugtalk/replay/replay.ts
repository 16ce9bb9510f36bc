/** `tugtalk replay`: plays a recording, prints what a bridge sends, and reports. */
import { parseArgs } from "node:util";
import { playRecording } from "./player.ts";
import { parseRecording, type Recorded } from "./recording-text.ts";
import { formatReplay, isAsItWas } from "./replay-report.ts";

/** The text of `tugtalk replay --help`. */
export const REPLAY_USAGE = `tugtalk replay: plays a recording of \`tugtalk --record\` again, without Claude

usage: tugtalk replay <file> [options]

  --speed <n>   n times as fast as it was, 1 being real time (default: at once)
  --help        print this text and end

stdout has what the bridge sends to the host this time, stderr a report: which lines meant nothing,
and what is not as it was.

exit code: 0 all is as it was, 1 something is not, 2 bad arguments or not a recording
`;

export type ReplayArguments =
  | { readonly file: string; readonly speed: number | undefined }
  | { readonly help: true }
  | { readonly problem: string };

/** Reads the words after `replay`. */
export function parseReplayArguments(words: readonly string[]): ReplayArguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: { help: { type: "boolean", short: "h" }, speed: { type: "string" } },
      allowPositionals: true,
    });
    if (values.help === true) return { help: true };
    const [file, another] = positionals;
    if (file === undefined) return { problem: "the file of a recording is missing" };
    if (another !== undefined) return { problem: `one recording at a time: ${another}` };
    const speed = Number(values.speed ?? 1);
    if (!(speed > 0 && speed < 1e6))
      return { problem: `--speed: not a valid value: ${values.speed}` };
    return { file, speed: values.speed === undefined ? undefined : speed };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Runs the sub-command, from its arguments to the exit code. */
export async function runReplay(words: readonly string[]): Promise<void> {
  const parsed = parseReplayArguments(words);
  if ("help" in parsed) console.log(REPLAY_USAGE.trimEnd());
  else if ("problem" in parsed) refuse(`${parsed.problem}\n\n${REPLAY_USAGE.trimEnd()}`);
  else {
    const recorded = await readRecording(parsed.file);
    if (typeof recorded === "string") refuse(recorded);
    else await replay(recorded, parsed.speed);
  }
}

function refuse(message: string): void {
  console.error(message);
  process.exitCode = 2;
}

async function readRecording(file: string): Promise<Recorded | string> {
  try {
    return parseRecording(await Bun.file(file).text());
  } catch (error) {
    return `cannot read ${file}: ${messageOf(error)}`;
  }
}

async function replay(recorded: Recorded, speed: number | undefined): Promise<void> {
  const output = openOutput();
  const start = performance.now();
  const result = await playRecording(recorded, {
    onSent: output.write,
    pace: async (ms) => {
      // Written before the wait: whoever watches sees it when it was sent.
      await output.flush();
      const early = speed === undefined ? 0 : ms / speed - (performance.now() - start);
      if (early > 0) await Bun.sleep(early);
    },
  });
  await output.flush();
  console.error(formatReplay(result));
  process.exitCode = isAsItWas(result) ? 0 : 1;
}

/** Our stdout, which nobody may be reading to its end. */
function openOutput() {
  const sink = Bun.stdout.writer();
  let isGone = false;
  const tolerate = async (write: () => unknown): Promise<void> => {
    if (isGone) return;
    try {
      await write();
    } catch {
      isGone = true; // Who stops reading has seen enough; the report is printed all the same.
    }
  };
  return {
    write: (line: string) => void tolerate(() => sink.write(line)),
    flush: () => tolerate(() => sink.flush()),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
