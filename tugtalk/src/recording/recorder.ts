/**
 * Records a bridge at its ports: everything that passes is noted in the order in which the bridge meets
 * it, and goes on unchanged. Lines wait for `setImmediate`: as in a replay, the promises of the bridge
 * have settled before the next input. Loaded only for `--record`.
 */
import { homedir } from "node:os";
import { setImmediate } from "node:timers/promises";
import packageJson from "../../../package.json" with { type: "json" };
import type { Clock } from "../base/clock.ts";
import type { Line } from "../base/lines.ts";
import type { ClaudeProcess } from "../claude/claude-process-port.ts";
import type { ConnectionPorts } from "../edge/host-connection.ts";
import type { HostLines } from "../edge/host-lines.ts";
import type { Sink } from "../ipc.ts";
import { TugtalkError } from "../messages/errors.ts";
import { TextMask } from "./masking/mask-text.ts";
import type { Pipe } from "./recorded-line.ts";
import { END_OF_PIPE, type Lookup, RECORDING_VERSION, type RecordingHeader } from "./recording.ts";
import { createRecordingFile, type RecordingFile } from "./recording-file.ts";
import { type Note, RecordingNotes } from "./recording-notes.ts";

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
  #runs = 0;
  #firedTimers = 0;
  #emitted = 0;
  #isGone = false;
  #exitCode = 0;

  constructor(own: ConnectionPorts, file: RecordingFile) {
    const mask = new TextMask({ env: process.env, home: homedir() });
    this.#own = own;
    this.#file = file;
    this.#notes = new RecordingNotes(file, mask, own.clock.now);
    file.write(`${JSON.stringify({ dir: "note", msg: this.#header() })}\n`);
    this.ports = {
      ...own,
      clock: this.#tapClock(own.clock),
      newId: (of) => {
        const id = own.newId(of);
        this.#notes.add({ dir: "id", msg: id });
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
    this.#notes.add({ dir: "signal", msg: signal });
  }

  /** Notes an error that nothing has caught. */
  recordFault(thrown: unknown): void {
    this.#notes.add({ dir: "fault", msg: failureOf(thrown).message });
  }

  /** The bridge has ended. Resolves when all is written. */
  close(): Promise<void> {
    this.#notes.endTexts();
    this.#notes.add({ dir: "ended", msg: this.#exitCode });
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

  /** It stands still while the bridge handles an input, so that a replay can give it the same time. */
  #tapClock({ setTimer, clearTimer }: Clock): Clock {
    return {
      now: () => this.#notes.lastInput,
      setTimer: (run, delayMs) =>
        setTimer(() => {
          this.#firedTimers += 1;
          this.#notes.add({ dir: "timer", msg: delayMs });
          run();
        }, delayMs),
      clearTimer,
    };
  }

  #tapInput(input: HostLines): HostLines {
    let isCancelled = false;
    return {
      read: async () => {
        const lines = await input.read();
        await setImmediate();
        this.#notes.addLines({ dir: "host" }, FROM_HOST, lines ?? []);
        // When the bridge itself stops reading, the host has not ended.
        if (lines === undefined && !isCancelled) this.#notes.add({ dir: "host", msg: END_OF_PIPE });
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
        this.#notes.addLines({ dir: "emit" }, TO_HOST, [line]);
      },
      // A broken pipe fails here or in `flush`.
      write: (chunk) => this.#recordGone(() => output.write(chunk)),
      flush: () => this.#tapFlush(output),
    };
  }

  async #tapFlush(output: Sink): Promise<void> {
    const [upTo, start, fired] = [this.#emitted, this.#own.clock.now(), this.#firedTimers];
    await this.#recordGone(() => output.flush());
    // A timer that runs meanwhile may check whether the host reads.
    const isLate = this.#own.clock.now() - start > BLOCKED_MS || this.#firedTimers > fired;
    if (isLate) this.#notes.add({ dir: "host_drained", msg: upTo });
  }

  async #recordGone(write: () => unknown): Promise<void> {
    const upTo = this.#emitted;
    try {
      await write();
    } catch (error) {
      if (!this.#isGone) this.#notes.add({ dir: "host_gone", msg: upTo });
      this.#isGone = true;
      throw error;
    }
  }

  #tapSpawn(args: string[], spawn: () => ClaudeProcess): ClaudeProcess {
    const claude = this.#attempt(spawn, (failure) => ({
      dir: "spawn_failed",
      msg: { args, ...failure },
    }));
    this.#runs += 1;
    const run = this.#runs;
    this.#notes.add({ dir: "spawn", run, msg: { pid: claude.pid, args } });
    return this.#tapClaude(claude, run);
  }

  #tapClaude(claude: ClaudeProcess, run: number): ClaudeProcess {
    return {
      pid: claude.pid,
      lines: this.#tapLines(claude.lines, run),
      exited: claude.exited.then((exit) => {
        const { exitCode: code, signal, stderrTail: stderr } = exit;
        this.#notes.add({ dir: "exit", run, msg: { code, signal, stderr } });
        return exit;
      }),
      writeLine: (line) => {
        this.#notes.addLines({ dir: "in", run }, TO_CLAUDE, [line]);
        claude.writeLine(line);
      },
      bufferedChars: claude.bufferedChars,
      closeInput: () => {
        this.#notes.add({ dir: "in", run, msg: END_OF_PIPE });
        claude.closeInput();
      },
      kill: (signal) => {
        this.#notes.add({ dir: "kill", run, msg: signal });
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
      this.#notes.addLines({ dir: "out", run }, pipe, lines);
      yield lines;
    }
    this.#notes.endTexts(pipe);
    this.#notes.add({ dir: "out", run, msg: END_OF_PIPE });
  }

  #tapFile(name: string, write: () => string): string {
    const path = this.#attempt(write, (failure) => ({
      dir: "file_failed",
      msg: { name, ...failure },
    }));
    this.#notes.add({ dir: "file", msg: { name, path } });
    return path;
  }

  #tapLookups({ past, lastSession, readPast, transcript }: ConnectionPorts) {
    const tap =
      <About extends unknown[], Found>(what: Lookup, look: (...about: About) => Promise<Found>) =>
      (...about: About) =>
        this.#recordLookup(what, about, look(...about));
    return {
      past: {
        newestSessionId: tap("newest_session", past.newestSessionId),
        findResumePoint: tap("resume_point", past.findResumePoint),
        hasBranched: tap("has_branched", past.hasBranched),
        isUnbegun: tap("is_unbegun", past.isUnbegun),
      },
      lastSession: { ...lastSession, read: tap("last_session", lastSession.read) },
      readPast: tap("past", readPast),
      transcript: { ...transcript, next: tap("transcript", transcript.next) },
    };
  }

  async #recordLookup<Found>(
    what: Lookup,
    about: unknown[],
    found: Promise<Found>,
  ): Promise<Found> {
    try {
      const value = await found;
      this.#notes.add({ dir: "found", msg: { what, about, value } });
      return value;
    } catch (error) {
      this.#notes.add({ dir: "lookup_failed", msg: { what, about, ...failureOf(error) } });
      throw error;
    }
  }

  /** Notes a failure, and throws it again. */
  #attempt<Result>(act: () => Result, noteOf: (failure: Failure) => Note): Result {
    try {
      return act();
    } catch (error) {
      this.#notes.add(noteOf(failureOf(error)));
      throw error;
    }
  }
}

/** A thrown error, in the fields of an entry. */
type Failure = ReturnType<typeof failureOf>;

function failureOf(thrown: unknown) {
  const { code, message, reason } = TugtalkError.from(thrown);
  return { code, message, ...(reason !== undefined && { reason }) };
}
