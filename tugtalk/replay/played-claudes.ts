/** The Claude processes of a recording: each is started, prints its lines and ends as it did. */
import type { Line } from "../src/base/lines.ts";
import type { ClaudeExit, ClaudeProcess } from "../src/claude/claude-process-port.ts";
import { TugtalkError } from "../src/messages/errors.ts";
import { toLine } from "../src/recording/recorded-line.ts";
import type { RecordedInput, RecordedOutput, RecordingEntry } from "../src/recording/recording.ts";
import type { Comparison } from "./comparison.ts";
import { failureOf } from "./played-lookups.ts";
import { Queue } from "./queue.ts";
import type { LineWatch } from "./silent-lines.ts";
import { actOf } from "./timeline.ts";

/** What comes from a Claude. */
type ClaudeInput = Extract<RecordedInput, { run: number }>;

type Start = Extract<RecordedOutput, { event: "claude_started" | "claude_not_started" }>;

type SecretFile = Extract<RecordedOutput, { event: "file_written" | "file_not_written" }>;

/** A running one. An empty batch of lines ends its output. */
type PlayedClaude = {
  readonly batches: Queue<readonly Line[]>;
  readonly exited: PromiseWithResolvers<ClaudeExit>;
};

export class PlayedClaudes {
  readonly #acts: Comparison;
  readonly #watch: LineWatch;
  readonly #starts: Iterator<Start, undefined>;
  readonly #files: Iterator<SecretFile, undefined>;
  readonly #started = new Map<number, PlayedClaude>();

  /** `acts` gets what the bridge does to them, `watch` what they print. */
  constructor(entries: readonly RecordingEntry[], acts: Comparison, watch: LineWatch) {
    this.#acts = acts;
    this.#watch = watch;
    this.#starts = entries
      .filter((entry) => entry.event === "claude_started" || entry.event === "claude_not_started")
      .values();
    this.#files = entries
      .filter((entry) => entry.event === "file_written" || entry.event === "file_not_written")
      .values();
  }

  /** How many were started. */
  get count(): number {
    return this.#started.size;
  }

  /** Starts the next one, or fails as its start did; throws `TugtalkError`. */
  spawn(args: readonly string[]): ClaudeProcess {
    const start = this.#starts.next().value;
    this.#acts.note({ ...(start ? actOf(start) : { event: "claude_started" }), args });
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
      // A recording does not have how slowly Claude read. Only megabytes would make a difference.
      bufferedChars: () => 0,
      writeLine: (line) => this.#acts.note({ event: "wrote", run, line: JSON.parse(line) }),
      closeInput: () => this.#acts.note({ event: "input_closed", run }),
      kill: (signal) => this.#acts.note({ event: "killed", run, signal }),
    };
  }

  /** The path that a secret file of a Claude had. */
  writeFile(name: string): string {
    const file = this.#files.next().value;
    this.#acts.note({ ...(file ? actOf(file) : { event: "file_written" }), name });
    if (file?.event === "file_written") return file.path;
    throw new Error(file?.message ?? "the recording has no further file");
  }

  /** Repeats what one of them did. */
  play(entry: ClaudeInput): void {
    const claude = this.#started.get(entry.run);
    switch (entry.event) {
      case "claude_lines":
        claude?.batches.push(this.#watch.watched(entry.lines.map(toLine)));
        break;
      case "claude_output_ended":
        claude?.batches.push([]);
        break;
      case "claude_exited":
        claude?.exited.resolve({
          exitCode: entry.exit_code,
          signal: entry.signal as NodeJS.Signals | null,
          stderrTail: entry.stderr_tail,
        });
    }
  }
}

async function* linesOf({ batches }: PlayedClaude): AsyncGenerator<readonly Line[]> {
  for (let batch = await batches.next(); batch.length > 0; batch = await batches.next())
    yield batch;
}
