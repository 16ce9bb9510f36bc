/** `tugtalk replay`: plays a recording, tells what a bridge tells, and reports. */

import { playRecording } from "./player.ts";
import { NotARecording, parseRecording, type Recorded } from "./recording-text.ts";
import { parseReplayArguments, REPLAY_USAGE, type ReplayArguments } from "./replay-arguments.ts";
import { formatReplay, isAsItWas } from "./replay-report.ts";

/** Runs the sub-command, from its arguments to the exit code. */
export async function runReplay(words: readonly string[]): Promise<void> {
  const parsed = parseReplayArguments(words);
  if ("help" in parsed) console.log(REPLAY_USAGE.trimEnd());
  else if ("problem" in parsed) refuse(`${parsed.problem}\n\n${REPLAY_USAGE.trimEnd()}`);
  else {
    const recorded = await readRecording(parsed.file);
    if ("problem" in recorded) refuse(recorded.problem);
    else await replay(recorded, parsed);
  }
}

function refuse(words: string): void {
  console.error(words);
  process.exitCode = 2;
}

async function readRecording(file: string): Promise<Recorded | { readonly problem: string }> {
  try {
    return parseRecording(await Bun.file(file).text());
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return {
      problem: error instanceof NotARecording ? `${file}: ${words}` : `cannot read: ${words}`,
    };
  }
}

async function replay(recorded: Recorded, { speed }: ReplayArguments): Promise<void> {
  const output = openOutput();
  const start = performance.now();
  const result = await playRecording(recorded, {
    onTold: output.write,
    pace: async (ms) => {
      // Written before the wait: whoever looks on sees it when it was said.
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
      isGone = true; // Who stops reading has seen enough; the report is told all the same.
    }
  };
  return {
    write: (line: string) => void tolerate(() => sink.write(line)),
    flush: () => tolerate(() => sink.flush()),
  };
}
