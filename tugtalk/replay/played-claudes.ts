/** Every Claude of a recording: each is started, prints its lines and ends as it did then. */

import type { Line } from "../src/base/lines.ts";
import type { ClaudeExit, ClaudeProcess } from "../src/claude/claude-process-port.ts";
import { TugtalkError } from "../src/messages/errors.ts";
import { toLine } from "../src/recording/recorded-line.ts";
import type { RecordedInput, RecordingEntry } from "../src/recording/recording.ts";
import type { Comparison } from "./comparison.ts";
import { failureOf } from "./played-lookups.ts";
import { Queue } from "./queue.ts";
import type { LineWatch } from "./silent-lines.ts";

/** What comes of a Claude. */
type ClaudeInput = Extract<RecordedInput, { run: number }>;

/** One that runs: an empty batch of lines is the end of its output. */
type PlayedClaude = {
  readonly batches: Queue<readonly Line[]>;
  readonly exited: PromiseWithResolvers<ClaudeExit>;
};

export class PlayedClaudes {
  readonly #acts: Comparison;
  readonly #watch: LineWatch;
  readonly #starts: Iterator<ReturnType<typeof startIn>[number], undefined>;
  readonly #files: Iterator<ReturnType<typeof fileIn>[number], undefined>;
  readonly #started = new Map<number, PlayedClaude>();

  /** `acts` gets what the bridge does to them, `watch` what they print. */
  constructor(entries: readonly RecordingEntry[], acts: Comparison, watch: LineWatch) {
    this.#acts = acts;
    this.#watch = watch;
    this.#starts = entries.flatMap(startIn).values();
    this.#files = entries.flatMap(fileIn).values();
  }

  /** How many were started. */
  get count(): number {
    return this.#started.size;
  }

  /** The next one, or the failure that stood in its place; throws `TugtalkError`. */
  spawn(args: readonly string[]): ClaudeProcess {
    this.#acts.note({ act: "start", args });
    const start = this.#starts.next().value;
    if (start === undefined)
      throw new TugtalkError("claude_start_failed", "the recording has no further Claude");
    if (start.event === "claude_not_started") throw failureOf(start);
    const { run, pid } = start;
    const claude: PlayedClaude = { batches: new Queue(), exited: Promise.withResolvers() };
    this.#started.set(run, claude);
    return {
      pid,
      lines: linesOf(claude),
      exited: claude.exited.promise,
      // A recording does not tell how slowly Claude read; it takes megabytes to make a difference.
      bufferedChars: () => 0,
      writeLine: (line) => this.#acts.note({ act: "write", run, line: JSON.parse(line) }),
      closeInput: () => this.#acts.note({ act: "close stdin", run }),
      kill: (signal) => this.#acts.note({ act: "signal", run, signal }),
    };
  }

  /** The path that a private file of a Claude had then. */
  writeFile(name: string): string {
    this.#acts.note({ act: "file", name });
    const file = this.#files.next().value;
    if (file?.event === "file_written") return file.path;
    throw new Error(file?.message ?? "the recording has no further file");
  }

  /** What one of them did. */
  play(entry: ClaudeInput): void {
    const claude = this.#started.get(entry.run);
    switch (entry.event) {
      case "claude_said":
        claude?.batches.push(this.#watch.watched(entry.lines.map(toLine)));
        break;
      case "claude_output_ended":
        claude?.batches.push([]);
        break;
      case "claude_exited": {
        const { exit_code: exitCode, signal, stderr_tail: stderrTail } = entry;
        claude?.exited.resolve({
          exitCode,
          signal: signal as NodeJS.Signals | null,
          stderrTail,
        });
      }
    }
  }
}

async function* linesOf({ batches }: PlayedClaude): AsyncGenerator<readonly Line[]> {
  for (let batch = await batches.next(); batch.length > 0; batch = await batches.next())
    yield batch;
}

function startIn(entry: RecordingEntry) {
  return entry.event === "claude_started" || entry.event === "claude_not_started" ? [entry] : [];
}

function fileIn(entry: RecordingEntry) {
  return entry.event === "file_written" || entry.event === "file_not_written" ? [entry] : [];
}
