/** Every Claude of a recording: each is started, says its lines and ends as it did then. */
import { TugtalkError } from "../src/errors.ts";
import type { ClaudeProcess } from "../src/process-handle.ts";
import type { RecordedInput, RecordingEntry } from "../src/recording.ts";
import type { Comparison } from "./comparison.ts";
import { PlayedClaude } from "./played-claude.ts";
import { failureOf } from "./played-lookups.ts";
import type { Renaming } from "./renaming.ts";
import type { LineWatch } from "./silent-lines.ts";
import { type ClaudeStart, type FileWrite, isFile, isStart } from "./timeline.ts";

/** What comes of a Claude. */
export type ClaudeInput = Extract<RecordedInput, { run: number }>;

/** Whom a recording's Claudes tell what the bridge does to them, and what they say. */
type Listeners = {
  readonly acts: Comparison;
  readonly renaming: Renaming;
  readonly watch: LineWatch;
};

export class PlayedClaudes {
  readonly #acts: Comparison;
  readonly #renaming: Renaming;
  readonly #watch: LineWatch;
  readonly #starts: Iterator<ClaudeStart, undefined>;
  readonly #files: Iterator<FileWrite, undefined>;
  readonly #started = new Map<number, PlayedClaude>();

  constructor(entries: readonly RecordingEntry[], { acts, renaming, watch }: Listeners) {
    this.#acts = acts;
    this.#renaming = renaming;
    this.#watch = watch;
    this.#starts = entries.filter(isStart).values();
    this.#files = entries.filter(isFile).values();
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
    if (start.event === "claude_not_started") throw failureOf(this.#renaming.renameAll(start));
    const { run, pid } = start;
    const claude = new PlayedClaude(pid, {
      writeLine: (line) => this.#acts.note({ act: "write", run, line: JSON.parse(line) }),
      closeInput: () => this.#acts.note({ act: "close stdin", run }),
      kill: (signal) => this.#acts.note({ act: "signal", run, signal }),
    });
    this.#started.set(run, claude);
    return claude.process;
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
        claude?.say(this.#watch.watched(this.#renaming.linesOf(entry)));
        break;
      case "claude_output_ended":
        claude?.endOutput();
        break;
      case "claude_exited": {
        const { exit_code, signal, stderr_tail } = this.#renaming.renameAll(entry);
        claude?.exit({
          exitCode: exit_code,
          signal: signal as NodeJS.Signals | null,
          stderrTail: stderr_tail,
        });
      }
    }
  }
}
