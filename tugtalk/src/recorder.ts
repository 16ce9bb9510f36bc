/**
 * Records a bridge by standing between it and its world: everything that passes is noted in the
 * order in which the bridge meets it, and goes on unchanged. Loaded only for `--record`.
 */
import { homedir, hostname, userInfo } from "node:os";
import { basename } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import type { BridgePorts, HostInput } from "./bridge.ts";
import type { Sink } from "./ipc.ts";
import { type Line, LineSplitter } from "./lines.ts";
import { Masks } from "./masks.ts";
import type { ClaudeExit, ClaudeProcess } from "./process-handle.ts";
import { RecordedClock } from "./recorded-clock.ts";
import { type Lookup, RECORDING_VERSION, type RecordingHeader } from "./recording.ts";
import { createRecordingFile } from "./recording-file.ts";
import { failure, type Note, RecordingNotes } from "./recording-notes.ts";

/** A recording that is being made. */
export type Recording = {
  /** What the bridge is to be given. */
  readonly ports: BridgePorts;
  readonly noteSignal: (signal: string) => void;
  /** Something was thrown that nothing caught. */
  readonly noteFault: (thrown: unknown) => void;
  /** The bridge has ended. Resolves when that is written too. */
  readonly close: () => Promise<void>;
};

/**
 * Starts a recording of a bridge. Throws where the file cannot be made; only then are the pipes
 * opened, since one that is open keeps the process alive.
 */
export async function startRecording(
  path: string,
  openPorts: () => BridgePorts,
): Promise<Recording> {
  const file = await createRecordingFile(path, (words) => own.log("error", words));
  const own = openPorts();
  const clock = new RecordedClock(own.clock, (note) => notes.note(() => note));
  const notes = new RecordingNotes({
    masks: new Masks({ env: process.env, names: namesOfPerson() }),
    now: own.clock.now,
    onMoved: (now) => clock.moveTo(now),
    write: file.write,
    giveUp: file.giveUp,
  });
  const recorder = new Recorder(own, notes, clock);
  return {
    ports: recorder.ports,
    noteSignal: (signal) => recorder.noteSignal(signal),
    noteFault: (thrown) => recorder.noteFault(thrown),
    close: () => {
      recorder.end();
      return file.close();
    },
  };
}

function namesOfPerson(): string[] {
  const name = (() => {
    try {
      return userInfo().username;
    } catch {
      return ""; // A user id without an entry in the system's list.
    }
  })();
  return [name, basename(homedir()), hostname(), hostname().split(".")[0] ?? ""];
}

class Recorder {
  readonly ports: BridgePorts;
  readonly #own: BridgePorts;
  readonly #notes: RecordingNotes;
  readonly #clock: RecordedClock;
  #runs = 0;
  #told = 0;
  #exitCode = 0;

  constructor(own: BridgePorts, notes: RecordingNotes, clock: RecordedClock) {
    this.#own = own;
    this.#notes = notes;
    this.#clock = clock;
    notes.begin(this.#header());
    this.ports = {
      ...own,
      clock,
      input: this.#heardInput(own.input),
      output: this.#heardOutput(own.output),
      spawn: (args, options) => this.#heardSpawn(args, () => own.spawn(args, options)),
      writePrivateFile: (name, text) =>
        this.#heardFile(name, () => own.writePrivateFile(name, text)),
      past: this.#heardPast(own.past),
      lastSession: {
        ...own.lastSession,
        read: () => this.#heardLookup("last_session", [], () => own.lastSession.read()),
      },
      readPast: (...asked) => this.#heardLookup("past", asked, () => own.readPast(...asked)),
      onFatal: () => {
        this.#exitCode = 1;
        own.onFatal();
      },
    };
  }

  noteSignal(signal: string): void {
    this.#note({ event: "signal", signal });
  }

  noteFault(thrown: unknown): void {
    this.#notes.note((masks) => ({ event: "fault", message: failure(thrown, masks).message }));
  }

  end(): void {
    this.#note({ event: "ended", exit_code: this.#exitCode });
    this.#notes.end();
  }

  #header(): RecordingHeader {
    return {
      tugtalk_recording: RECORDING_VERSION,
      tugtalk_version: packageJson.version,
      platform: process.platform,
      arch: process.arch,
      bun: Bun.version,
      started_at: new Date(this.#notes.start).toISOString(),
      max_line_bytes: this.#own.maxLineBytes,
      on_eof: this.#own.onEof,
      timers: true,
    };
  }

  #note(note: Note): void {
    this.#notes.note(() => note);
  }

  #heardInput(input: HostInput): HostInput {
    const splitter = new LineSplitter(this.#own.maxLineBytes);
    const masks = this.#notes.masksOf();
    let isCancelled = false;
    return {
      read: async () => {
        const piece = await input.read();
        const isOver = piece.done || piece.value === undefined;
        const lines = isOver ? splitter.end() : splitter.feed(piece.value);
        if (lines.length > 0)
          this.#notes.noteLines({ event: "host_said" }, () =>
            lines.map((line) => masks.take(line)),
          );
        // That the bridge itself stops listening is no news of the host's.
        if (isOver && !isCancelled) this.#note({ event: "host_ended" });
        return piece;
      },
      cancel: () => {
        isCancelled = true;
        return input.cancel();
      },
    };
  }

  #heardOutput(output: Sink): Sink {
    const masks = this.#notes.masksOf("bridge");
    return {
      queued: (line) => {
        this.#told += 1;
        const text = line.trimEnd();
        this.#notes.noteLine({ event: "told" }, () => masks.takeText(text));
      },
      write: (chunk) => {
        try {
          return output.write(chunk);
        } catch (error) {
          throw this.#gone(error, this.#told);
        }
      },
      flush: () => this.#heardFlush(output),
    };
  }

  async #heardFlush(output: Sink): Promise<void> {
    const [up_to, start, { fired }] = [this.#told, this.#own.clock.now(), this.#clock];
    try {
      await output.flush();
    } catch (error) {
      throw this.#gone(error, up_to);
    }
    // A timer that runs meanwhile may look at whether the host reads.
    const wasLong = this.#own.clock.now() - start > UNREAD_MS || this.#clock.fired > fired;
    if (wasLong) this.#note({ event: "host_took", up_to });
  }

  #gone(error: unknown, up_to: number): unknown {
    this.#note({ event: "host_gone", up_to });
    return error;
  }

  #heardSpawn(args: readonly string[], spawn: () => ClaudeProcess): ClaudeProcess {
    try {
      const claude = spawn();
      this.#runs += 1;
      const { pid } = claude;
      const run = this.#runs;
      this.#notes.note((masks) => {
        return { event: "claude_started", run, pid, args: [...masks.maskValue(args)] };
      });
      return this.#heardClaude(claude, run);
    } catch (error) {
      this.#notes.note((masks) => {
        const masked = [...masks.maskValue(args)];
        return { event: "claude_not_started", args: masked, ...failure(error, masks) };
      });
      throw error;
    }
  }

  #heardClaude(claude: ClaudeProcess, run: number): ClaudeProcess {
    const masks = this.#notes.masksOf();
    return {
      pid: claude.pid,
      lines: this.#heardLines(claude.lines, run),
      exited: claude.exited.then((exit) => this.#heardExit(exit, run)),
      writeLine: (line) => {
        this.#notes.noteLine({ event: "wrote", run }, () => masks.takeText(line));
        claude.writeLine(line);
      },
      unread: claude.unread,
      closeInput: () => {
        this.#note({ event: "input_closed", run });
        claude.closeInput();
      },
      kill: (signal) => {
        this.#note({ event: "killed", run, signal });
        claude.kill(signal);
      },
    };
  }

  async *#heardLines(
    batches: AsyncIterable<readonly Line[]>,
    run: number,
  ): AsyncGenerator<readonly Line[]> {
    const masks = this.#notes.masksOf("claude");
    for await (const lines of batches) {
      if (lines.length > 0)
        this.#notes.noteLines({ event: "claude_said", run }, () =>
          lines.map((line) => masks.take(line)),
        );
      yield lines;
    }
    masks.end();
    this.#note({ event: "claude_output_ended", run });
  }

  #heardExit(exit: ClaudeExit, run: number): ClaudeExit {
    const { exitCode: exit_code, signal, stderrTail } = exit;
    this.#notes.note((masks) => {
      const stderr_tail = masks.maskText(stderrTail);
      return { event: "claude_exited", run, exit_code, signal, stderr_tail };
    });
    return exit;
  }

  #heardFile(name: string, write: () => string): string {
    try {
      const path = write();
      this.#notes.note((masks) => ({ event: "file_written", name, path: masks.maskText(path) }));
      return path;
    } catch (error) {
      this.#notes.note((masks) => {
        return { event: "file_not_written", name, message: failure(error, masks).message };
      });
      throw error;
    }
  }

  #heardPast(past: BridgePorts["past"]): BridgePorts["past"] {
    return {
      newestSessionId: () => this.#heardLookup("newest_session", [], past.newestSessionId),
      findPlace: (...asked) => this.#heardLookup("place", asked, () => past.findPlace(...asked)),
      hasBranched: (...asked) =>
        this.#heardLookup("has_branched", asked, () => past.hasBranched(...asked)),
    };
  }

  async #heardLookup<Found>(
    what: Lookup,
    asked: readonly unknown[],
    look: () => Promise<Found>,
  ): Promise<Found> {
    try {
      const found = await look();
      this.#notes.note((masks) => {
        const about = [...masks.maskValue(asked)];
        return { event: "found", what, about, value: masks.maskValue(found) };
      });
      return found;
    } catch (error) {
      this.#notes.note((masks) => {
        const about = [...masks.maskValue(asked)];
        return { event: "lookup_failed", what, about, ...failure(error, masks) };
      });
      throw error;
    }
  }
}

/** A host that takes longer than this for what it is told has kept the bridge waiting, in ms. */
const UNREAD_MS = 100;
