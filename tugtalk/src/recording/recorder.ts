/**
 * Records a bridge at its ports: everything that passes is noted in the order in which the bridge meets
 * it, and goes on unchanged. Lines wait for `setImmediate`: as in a replay, the promises of the bridge
 * have settled before the next input. Loaded only for `--record`.
 */
import { homedir } from "node:os";
import { setImmediate } from "node:timers/promises";
import packageJson from "../../../package.json" with { type: "json" };
import type { Line } from "../base/lines.ts";
import type { ClaudeProcess } from "../claude/claude-process-port.ts";
import type { ConnectionPorts } from "../edge/host-connection.ts";
import type { HostLines } from "../edge/host-lines.ts";
import type { Sink } from "../ipc.ts";
import { TugtalkError } from "../messages/errors.ts";
import { TextMask } from "./masking/mask-text.ts";
import { type RecordedClock, recordClock } from "./recorded-clock.ts";
import type { Pipe } from "./recorded-line.ts";
import { type Lookup, RECORDING_VERSION, type RecordingHeader } from "./recording.ts";
import { createRecordingFile, type RecordingFile } from "./recording-file.ts";
import { type Note, RecordingNotes, type Without } from "./recording-notes.ts";

/**
 * Starts a recording of a bridge. Throws if the file cannot be created. The ports are opened after that,
 * since an open pipe keeps the process alive.
 */
export async function startRecording(
  path: string,
  openPorts: () => ConnectionPorts,
): Promise<Recorder> {
  const file = await createRecordingFile(path, (message) => ports.log("error", message));
  const ports = openPorts();
  return new Recorder(ports, file);
}

const FROM_HOST: Pipe = { name: "from host: ", isStrict: true };
const TO_HOST: Pipe = { name: "to host: " };
const TO_CLAUDE: Pipe = { name: "to claude: " };

/** A host that takes longer than this to read a chunk has blocked the bridge, in ms. */
const BLOCKED_MS = 100;

/** A recording that is being made. */
export class Recorder {
  /** The ports for the bridge. */
  readonly ports: ConnectionPorts;
  readonly #own: ConnectionPorts;
  readonly #file: RecordingFile;
  readonly #notes: RecordingNotes;
  readonly #clock: RecordedClock;
  #runs = 0;
  #emitted = 0;
  #isGone = false;
  #exitCode = 0;

  constructor(own: ConnectionPorts, file: RecordingFile) {
    const mask = new TextMask({ env: process.env, home: homedir() });
    this.#own = own;
    this.#file = file;
    this.#notes = new RecordingNotes(file, mask, own.clock.now);
    this.#clock = recordClock(own.clock, this.#notes);
    file.write(`${JSON.stringify(this.#header())}\n`);
    this.ports = {
      ...own,
      clock: this.#clock,
      newId: (of) => {
        const id = own.newId(of);
        this.#notes.add({ event: "new_id", id });
        return id;
      },
      input: this.#tapInput(own.input),
      output: this.#tapOutput(own.output),
      spawn: (args, options) => this.#tapSpawn([...args], () => own.spawn(args, options)),
      writeSecretFile: (name, text) => this.#tapFile(name, () => own.writeSecretFile(name, text)),
      ...this.#tapLookups(own),
      onFatal: () => {
        this.#exitCode = 1;
        own.onFatal();
      },
    };
  }

  recordSignal(signal: string): void {
    this.#notes.add({ event: "signal", signal });
  }

  /** Notes an error that nothing has caught. */
  recordFault(thrown: unknown): void {
    this.#notes.add({ event: "fault", message: failureOf(thrown).message });
  }

  /** The bridge has ended. Resolves when all is written. */
  close(): Promise<void> {
    this.#notes.endTexts();
    this.#notes.add({ event: "ended", exit_code: this.#exitCode });
    return this.#file.close();
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

  #tapInput(input: HostLines): HostLines {
    let isCancelled = false;
    return {
      read: async () => {
        const lines = await input.read();
        await setImmediate();
        if (lines !== undefined) this.#notes.addLines({ event: "host_lines" }, FROM_HOST, lines);
        // When the bridge itself stops reading, the host has not ended.
        else if (!isCancelled) this.#notes.add({ event: "host_ended" });
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
        this.#notes.addLine({ event: "emitted" }, TO_HOST, line);
      },
      // A broken pipe fails here or in `flush`.
      write: (chunk) => this.#recordGone(() => output.write(chunk)),
      flush: () => this.#tapFlush(output),
    };
  }

  async #tapFlush(output: Sink): Promise<void> {
    const [up_to, start, fired] = [this.#emitted, this.#own.clock.now(), this.#clock.fired()];
    await this.#recordGone(() => output.flush());
    // A timer that runs meanwhile may check whether the host reads.
    const isLate = this.#own.clock.now() - start > BLOCKED_MS || this.#clock.fired() > fired;
    if (isLate) this.#notes.add({ event: "host_drained", up_to });
  }

  async #recordGone(write: () => unknown): Promise<void> {
    const up_to = this.#emitted;
    try {
      await write();
    } catch (error) {
      if (!this.#isGone) this.#notes.add({ event: "host_gone", up_to });
      this.#isGone = true;
      throw error;
    }
  }

  #tapSpawn(args: string[], spawn: () => ClaudeProcess): ClaudeProcess {
    const claude = this.#attempt(spawn, { event: "claude_not_started", args });
    this.#runs += 1;
    const run = this.#runs;
    this.#notes.add({ event: "claude_started", run, pid: claude.pid, args });
    return this.#tapClaude(claude, run);
  }

  #tapClaude(claude: ClaudeProcess, run: number): ClaudeProcess {
    return {
      pid: claude.pid,
      lines: this.#tapLines(claude.lines, run),
      exited: claude.exited.then((exit) => {
        const { exitCode: exit_code, signal, stderrTail: stderr_tail } = exit;
        this.#notes.add({ event: "claude_exited", run, exit_code, signal, stderr_tail });
        return exit;
      }),
      writeLine: (line) => {
        this.#notes.addLine({ event: "wrote", run }, TO_CLAUDE, line);
        claude.writeLine(line);
      },
      bufferedChars: claude.bufferedChars,
      closeInput: () => {
        this.#notes.add({ event: "input_closed", run });
        claude.closeInput();
      },
      kill: (signal) => {
        this.#notes.add({ event: "killed", run, signal });
        claude.kill(signal);
      },
    };
  }

  async *#tapLines(
    batches: AsyncIterable<Iterable<Line>>,
    run: number,
  ): AsyncGenerator<readonly Line[]> {
    const pipe: Pipe = { name: `claude ${run}: ` };
    for await (const batch of batches) {
      const lines = [...batch];
      await setImmediate();
      this.#notes.addLines({ event: "claude_lines", run }, pipe, lines);
      yield lines;
    }
    this.#notes.endTexts(pipe);
    this.#notes.add({ event: "claude_output_ended", run });
  }

  #tapFile(name: string, write: () => string): string {
    const path = this.#attempt(write, { event: "file_not_written", name });
    this.#notes.add({ event: "file_written", name, path });
    return path;
  }

  #tapLookups({ past, lastSession, readPast }: ConnectionPorts) {
    const tap =
      <About extends unknown[], Found>(what: Lookup, look: (...about: About) => Promise<Found>) =>
      (...about: About) =>
        this.#recordLookup(what, about, look(...about));
    return {
      past: {
        newestSessionId: tap("newest_session", past.newestSessionId),
        findPlace: tap("resume_point", past.findPlace),
        hasBranched: tap("has_branched", past.hasBranched),
        isUnbegun: tap("is_unbegun", past.isUnbegun),
      },
      lastSession: { ...lastSession, read: tap("last_session", lastSession.read) },
      readPast: tap("past", readPast),
    };
  }

  async #recordLookup<Found>(
    what: Lookup,
    about: unknown[],
    found: Promise<Found>,
  ): Promise<Found> {
    try {
      const value = await found;
      this.#notes.add({ event: "found", what, about, value });
      return value;
    } catch (error) {
      this.#notes.add({ event: "lookup_failed", what, about, ...failureOf(error) });
      throw error;
    }
  }

  /** Notes what is thrown, and throws it. */
  #attempt<Result>(act: () => Result, note: Without<FailureNote, keyof Failure>): Result {
    try {
      return act();
    } catch (error) {
      this.#notes.add({ ...note, ...failureOf(error) });
      throw error;
    }
  }
}

type FailureNote = Extract<Note, { event: "claude_not_started" | "file_not_written" }>;

/** What was thrown, in the fields of an entry. */
type Failure = ReturnType<typeof failureOf>;

function failureOf(thrown: unknown) {
  const { code, message, reason } = TugtalkError.from(thrown);
  return { code, message, ...(reason !== undefined && { reason }) };
}
