/**
 * Records a bridge by standing between it and its world: everything that passes is noted in the
 * order in which the bridge meets it, and goes on unchanged. Loaded only for `--record`.
 */
import { homedir } from "node:os";
import packageJson from "../../../package.json" with { type: "json" };
import type { Line } from "../base/lines.ts";
import type { ClaudeExit, ClaudeProcess } from "../claude/claude-process-port.ts";
import type { ConnectionPorts } from "../edge/host-connection.ts";
import type { HostLines } from "../edge/host-lines.ts";
import type { Sink } from "../ipc.ts";
import { TugtalkError } from "../messages/errors.ts";
import { TextMask } from "./masking/mask-text.ts";
import { RecordedClock } from "./recorded-clock.ts";
import type { Pipe } from "./recorded-line.ts";
import { type Lookup, RECORDING_VERSION, type RecordingHeader } from "./recording.ts";
import { createRecordingFile } from "./recording-file.ts";
import { type Note, RecordingNotes } from "./recording-notes.ts";

/** A recording that is being made. */
export type Recording = Awaited<ReturnType<typeof startRecording>>;

/**
 * Starts a recording of a bridge. Throws where the file cannot be made; only then are the pipes
 * opened, since one that is open keeps the process alive.
 */
export async function startRecording(path: string, openPorts: () => ConnectionPorts) {
  const file = await createRecordingFile(path, (message) => own.log("error", message));
  const own = openPorts();
  const clock = new RecordedClock(own.clock, (note) => notes.note(note));
  const notes = new RecordingNotes({
    mask: new TextMask({ env: process.env, home: homedir() }),
    now: own.clock.now,
    onMoved: (now) => clock.moveTo(now),
    write: file.write,
    giveUp: file.giveUp,
  });
  const recorder = new Recorder(own, notes, clock);
  return {
    /** What the bridge is to be given. */
    ports: recorder.ports,
    noteSignal: (signal: string) => notes.note({ event: "signal", signal }),
    /** Something was thrown that nothing caught. */
    noteFault: (thrown: unknown) =>
      notes.note({ event: "fault", message: failureOf(thrown).message }),
    /** The bridge has ended. Resolves when that is written too. */
    close: () => {
      recorder.end();
      return file.close();
    },
  };
}

const FROM_HOST: Pipe = { name: "from host" };
const TO_HOST: Pipe = { name: "to host", side: "bridge" };
const TO_CLAUDE: Pipe = { name: "to claude" };

class Recorder {
  readonly ports: ConnectionPorts;
  readonly #own: ConnectionPorts;
  readonly #notes: RecordingNotes;
  readonly #clock: RecordedClock;
  #runs = 0;
  #emitted = 0;
  #isGone = false;
  #exitCode = 0;

  constructor(own: ConnectionPorts, notes: RecordingNotes, clock: RecordedClock) {
    this.#own = own;
    this.#notes = notes;
    this.#clock = clock;
    notes.begin(this.#header());
    this.ports = {
      ...own,
      clock,
      newId: () => this.#tapNewId(),
      input: this.#tapInput(own.input),
      output: this.#tapOutput(own.output),
      spawn: (args, options) => this.#tapSpawn(args, () => own.spawn(args, options)),
      writeSecretFile: (name, text) => this.#tapFile(name, () => own.writeSecretFile(name, text)),
      past: this.#tapPast(own.past),
      lastSession: {
        ...own.lastSession,
        read: () => this.#tapLookup("last_session", [], () => own.lastSession.read()),
      },
      readPast: (...asked) => this.#tapLookup("past", asked, () => own.readPast(...asked)),
      onFatal: () => {
        this.#exitCode = 1;
        own.onFatal();
      },
    };
  }

  end(): void {
    this.#notes.endTexts();
    this.#notes.note({ event: "ended", exit_code: this.#exitCode });
  }

  #header(): RecordingHeader {
    return {
      tugtalk_recording: RECORDING_VERSION,
      tugtalk_version: packageJson.version,
      platform: process.platform,
      arch: process.arch,
      bun: Bun.version,
      started_at: new Date(this.#notes.start).toISOString(),
      on_eof: this.#own.onEof,
    };
  }

  #tapNewId(): string {
    const id = this.#own.newId();
    this.#notes.note({ event: "minted", id });
    return id;
  }

  #tapInput(input: HostLines): HostLines {
    let isCancelled = false;
    return {
      read: async () => {
        const lines = await input.read();
        if (lines !== undefined) this.#notes.noteLines({ event: "host_said" }, FROM_HOST, lines);
        // The bridge has stopped listening where it cancels: the host has not ended.
        else if (!isCancelled) this.#notes.note({ event: "host_ended" });
        return lines;
      },
      cancel: () => {
        isCancelled = true;
        return input.cancel();
      },
    };
  }

  #tapOutput(output: Sink): Sink {
    return {
      queued: (line) => {
        this.#emitted += 1;
        this.#notes.noteLine({ event: "told" }, TO_HOST, line);
      },
      // A pipe that is broken may say so at once, or later.
      write: async (chunk) => {
        const up_to = this.#emitted;
        try {
          await output.write(chunk);
        } catch (error) {
          throw this.#gone(error, up_to);
        }
      },
      flush: () => this.#tapFlush(output),
    };
  }

  async #tapFlush(output: Sink): Promise<void> {
    const [up_to, start, { fired }] = [this.#emitted, this.#own.clock.now(), this.#clock];
    try {
      await output.flush();
    } catch (error) {
      throw this.#gone(error, up_to);
    }
    // A timer that runs meanwhile may check whether the host reads.
    const wasLong = this.#own.clock.now() - start > UNREAD_MS || this.#clock.fired > fired;
    if (wasLong) this.#notes.note({ event: "host_took", up_to });
  }

  #gone(error: unknown, up_to: number): unknown {
    if (!this.#isGone) this.#notes.note({ event: "host_gone", up_to });
    this.#isGone = true;
    return error;
  }

  #tapSpawn(words: readonly string[], spawn: () => ClaudeProcess): ClaudeProcess {
    const args = [...words];
    const claude = this.#attempt(spawn, (failure) => ({
      event: "claude_not_started",
      args,
      ...failure,
    }));
    this.#runs += 1;
    const run = this.#runs;
    this.#notes.note({ event: "claude_started", run, pid: claude.pid, args });
    return this.#tapClaude(claude, run);
  }

  #tapClaude(claude: ClaudeProcess, run: number): ClaudeProcess {
    return {
      pid: claude.pid,
      lines: this.#tapLines(claude.lines, run),
      exited: claude.exited.then((exit) => this.#noteExit(exit, run)),
      writeLine: (line) => {
        this.#notes.noteLine({ event: "wrote", run }, TO_CLAUDE, line);
        claude.writeLine(line);
      },
      bufferedChars: claude.bufferedChars,
      closeInput: () => {
        this.#notes.note({ event: "input_closed", run });
        claude.closeInput();
      },
      kill: (signal) => {
        this.#notes.note({ event: "killed", run, signal });
        claude.kill(signal);
      },
    };
  }

  async *#tapLines(
    batches: AsyncIterable<readonly Line[]>,
    run: number,
  ): AsyncGenerator<readonly Line[]> {
    const pipe: Pipe = { name: `from claude ${run}`, side: "claude" };
    for await (const lines of batches) {
      this.#notes.noteLines({ event: "claude_said", run }, pipe, lines);
      yield lines;
    }
    this.#notes.endTexts(pipe);
    this.#notes.note({ event: "claude_output_ended", run });
  }

  #noteExit(exit: ClaudeExit, run: number): ClaudeExit {
    const { exitCode: exit_code, signal, stderrTail: stderr_tail } = exit;
    this.#notes.note({ event: "claude_exited", run, exit_code, signal, stderr_tail });
    return exit;
  }

  #tapFile(name: string, write: () => string): string {
    const path = this.#attempt(write, ({ message }) => ({
      event: "file_not_written",
      name,
      message,
    }));
    this.#notes.note({ event: "file_written", name, path });
    return path;
  }

  #tapPast(past: ConnectionPorts["past"]): ConnectionPorts["past"] {
    return {
      newestSessionId: () => this.#tapLookup("newest_session", [], past.newestSessionId),
      findPlace: (...asked) => this.#tapLookup("place", asked, () => past.findPlace(...asked)),
      hasBranched: (...asked) =>
        this.#tapLookup("has_branched", asked, () => past.hasBranched(...asked)),
    };
  }

  async #tapLookup<Found>(
    what: Lookup,
    about: unknown[],
    search: () => Promise<Found>,
  ): Promise<Found> {
    try {
      const value = await search();
      this.#notes.note({ event: "found", what, about, value });
      return value;
    } catch (error) {
      this.#notes.note({ event: "lookup_failed", what, about, ...failureOf(error) });
      throw error;
    }
  }

  /** Notes what is thrown, and throws it. */
  #attempt<Result>(act: () => Result, noteOf: (failure: Failure) => Note): Result {
    try {
      return act();
    } catch (error) {
      this.#notes.note(noteOf(failureOf(error)));
      throw error;
    }
  }
}

/** What was thrown, in the fields of an entry. */
type Failure = ReturnType<typeof failureOf>;

function failureOf(thrown: unknown) {
  const { code, message, reason } = TugtalkError.from(thrown);
  return { code, message, ...(reason !== undefined && { reason }) };
}

/** A host that takes longer than this for what it is sent has kept the bridge waiting, in ms. */
const UNREAD_MS = 100;
