/** The Claude processes of a recording: each starts, prints its lines and ends as it did. */
import { fieldsOf } from "../src/base/json.ts";
import type { Line } from "../src/base/lines.ts";
import type { ClaudeExit, ClaudeProcess } from "../src/claude/claude-process-port.ts";
import { TugtalkError } from "../src/messages/errors.ts";
import { toLine } from "../src/recording/recorded-line.ts";
import {
  END_OF_PIPE,
  type RecordedInput,
  type RecordedLine,
  type RecordedOutput,
  type RecordingEntry,
} from "../src/recording/recording.ts";
import type { Comparison } from "./comparison.ts";
import { failureOf } from "./played-lookups.ts";
import { Queue } from "./queue.ts";
import type { LineWatch } from "./silent-lines.ts";
import { actOf } from "./timeline.ts";

type Exit = Extract<RecordedInput, { dir: "exit" }>["msg"];

type Start = Extract<RecordedOutput, { dir: "spawn" | "spawn_failed" }>;

type SecretFile = Extract<RecordedOutput, { dir: "file" | "file_failed" }>;

/** A running Claude. An empty batch of lines ends its output. */
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

  /** `acts` gets the actions of the bridge on the processes, `watch` their lines. */
  constructor(entries: readonly RecordingEntry[], acts: Comparison, watch: LineWatch) {
    this.#acts = acts;
    this.#watch = watch;
    this.#starts = entries
      .filter((entry) => entry.dir === "spawn" || entry.dir === "spawn_failed")
      .values();
    this.#files = entries
      .filter((entry) => entry.dir === "file" || entry.dir === "file_failed")
      .values();
  }

  /** The number of started processes. */
  get count(): number {
    return this.#started.size;
  }

  /** Starts the next process, or fails as its start did. Throws `TugtalkError`. */
  spawn(args: readonly string[]): ClaudeProcess {
    const start = this.#starts.next().value;
    const was = start === undefined ? { dir: "spawn" } : actOf(start);
    this.#acts.note({ ...was, msg: { ...fieldsOf(was["msg"]), args } });
    if (start === undefined)
      throw new TugtalkError("claude_start_failed", "the recording has no further Claude");
    if (start.dir === "spawn_failed") throw failureOf(start.msg);
    const { run } = start;
    const claude: PlayedClaude = { batches: new Queue(), exited: Promise.withResolvers() };
    this.#started.set(run, claude);
    return {
      pid: start.msg.pid,
      lines: linesOf(claude),
      exited: claude.exited.promise,
      // A recording lacks the pace of Claude's reading. Only megabytes would make a difference.
      bufferedChars: () => 0,
      writeLine: (line) => this.#acts.note({ dir: "in", run, msg: JSON.parse(line) }),
      closeInput: () => this.#acts.note({ dir: "in", run, msg: END_OF_PIPE }),
      kill: (signal) => this.#acts.note({ dir: "kill", run, msg: signal }),
    };
  }

  /** The path of a Claude's secret file. */
  writeFile(name: string): string {
    const file = this.#files.next().value;
    const was = file === undefined ? { dir: "file" } : actOf(file);
    this.#acts.note({ ...was, msg: { ...fieldsOf(was["msg"]), name } });
    if (file?.dir === "file") return file.msg.path;
    throw new Error(file?.msg.message ?? "the recording has no further file");
  }

  /** Prints these lines, which came together, on the stdout of a process, or closes it. */
  print(run: number, lines: readonly RecordedLine[]): void {
    const batches = this.#started.get(run)?.batches;
    if (lines[0] === END_OF_PIPE) batches?.push([]);
    else batches?.push(this.#watch.watched(lines.map(toLine)));
  }

  exit(run: number, { code, signal, stderr }: Exit): void {
    this.#started.get(run)?.exited.resolve({
      exitCode: code,
      signal: signal as NodeJS.Signals | null,
      stderrTail: stderr,
    });
  }
}

async function* linesOf({ batches }: PlayedClaude): AsyncGenerator<readonly Line[]> {
  for (let batch = await batches.next(); batch.length > 0; batch = await batches.next())
    yield batch;
}
