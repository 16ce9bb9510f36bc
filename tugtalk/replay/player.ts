/**
 * Plays a recording through a bridge: each input comes again, in its order, once the bridge has handled the
 * one before. The actions of the bridge are compared with the recorded ones.
 */
import { setImmediate } from "node:timers/promises";
import { type ConnectionPorts, HostConnection } from "../src/edge/host-connection.ts";
import { toLine } from "../src/recording/recorded-line.ts";
import { END_OF_PIPE, type RecordedInput, type RecordedLine } from "../src/recording/recording.ts";
import { Comparison, type Difference, isSame } from "./comparison.ts";
import { PlayedClaudes } from "./played-claudes.ts";
import { PlayedHost } from "./played-host.ts";
import { PlayedLookups } from "./played-lookups.ts";
import type { Recorded } from "./recording-text.ts";
import { LineWatch, type SilentLines } from "./silent-lines.ts";
import { type Act, comparable, type Step, type Timeline, timelineOf } from "./timeline.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** How a recording is played. */
export type PlayOptions = {
  /** Gets each line for the host, with its LF. */
  readonly onEmitted?: (line: string) => void;
  /** Opens another bridge than tugtalk's. */
  readonly openBridge?: (ports: ConnectionPorts) => PlayedBridge;
  /** The recording comes from an older bridge: a field that its messages lack is no difference. */
  readonly mayAddFields?: boolean;
};

/** The methods of the bridge that a replay uses. */
export type PlayedBridge = Pick<HostConnection, "run" | "close" | "fault">;

/** The result of a replay. */
export type Replay = {
  readonly hostLines: number;
  readonly claudeLines: number;
  readonly claudes: number;
  /** All messages to the host. */
  readonly emitted: readonly Act[];
  readonly silent: SilentLines;
  /** The differences of the bridge, towards the host or Claude. */
  readonly differences: readonly Difference[];
  readonly isCut: boolean;
};

/** Plays a recording to its end. */
export function playRecording(recorded: Recorded, options: PlayOptions = {}): Promise<Replay> {
  return new Player(recorded, options).play();
}

class Player {
  readonly #recorded: Recorded;
  readonly #options: PlayOptions;
  readonly #timeline: Timeline;
  readonly #clock: VirtualClock;
  readonly #host: PlayedHost;
  readonly #toHost: Comparison;
  readonly #toClaude: Comparison;
  readonly #watch = new LineWatch(() => this.#emitted.length);
  readonly #claudes: PlayedClaudes;
  readonly #lookups = new PlayedLookups();
  readonly #emitted: Act[] = [];
  readonly #misnumbered: Difference[] = [];
  #hostLines = 0;
  #seq = 0;
  /** The ids of this step that the bridge has not used. */
  #ids: string[] = [];
  #madeUpIds = 0;
  #exitCode = 0;
  #hasEnded = false;

  constructor(recorded: Recorded, options: PlayOptions) {
    const { header, entries, isCut } = recorded;
    this.#recorded = recorded;
    this.#options = options;
    this.#timeline = timelineOf(entries);
    this.#clock = new VirtualClock(Date.parse(header.started_at));
    this.#toHost = new Comparison(this.#timeline.emitted, isCut, options.mayAddFields);
    this.#toClaude = new Comparison(this.#timeline.acts, isCut);
    this.#claudes = new PlayedClaudes(entries, this.#toClaude, this.#watch);
    const blockedAt = new Set(
      entries.flatMap(({ dir, msg }) =>
        dir === "host_drained" || dir === "host_gone" ? [msg] : [],
      ),
    );
    this.#host = new PlayedHost(
      (line) => this.#noteEmitted(line),
      () => (blockedAt.has(this.#toHost.reached) ? this.#toHost.reached : undefined),
    );
  }

  async play(): Promise<Replay> {
    const [start, ...steps] = this.#timeline.steps;
    this.#ids = [...(start?.ids ?? [])];
    const bridge = this.#options.openBridge?.(this.#ports()) ?? new HostConnection(this.#ports());
    void bridge.run().then(() => {
      this.#hasEnded = true;
    });
    for (const step of steps) await this.#playStep(step, bridge);
    return {
      hostLines: this.#hostLines,
      claudeLines: this.#watch.lines,
      claudes: this.#claudes.count,
      emitted: this.#emitted,
      silent: this.#watch.silent,
      differences: [
        ...this.#toHost.finish(),
        ...this.#toClaude.finish(),
        ...this.#misnumbered,
        ...this.#lookups.differences,
        ...this.#compareEnd(),
      ],
      isCut: this.#recorded.isCut,
    };
  }

  #ports(): ConnectionPorts {
    const { header } = this.#recorded;
    return {
      input: this.#host,
      output: this.#host.output,
      clock: this.#clock,
      newId: () => this.#ids.shift() ?? this.#madeUpId(),
      log: () => {},
      spawn: (args) => this.#claudes.spawn(args),
      writeSecretFile: (name) => this.#claudes.writeFile(name),
      configure: () => {},
      past: {
        newestSessionId: () => this.#lookups.start("newest_session"),
        findResumePoint: (...args) => this.#lookups.start("resume_point", args),
        hasBranched: (...args) => this.#lookups.start("has_branched", args),
        isUnbegun: (...args) => this.#lookups.start("is_unbegun", args),
      },
      lastSession: {
        read: () => this.#lookups.start("last_session"),
        keep: () => {},
        settled: () => Promise.resolve(),
      },
      readPast: (...args) => this.#lookups.start("past", args),
      transcript: {
        next: (...args) => this.#lookups.start("transcript", args),
        dropRestore: () => Promise.resolve(),
      },
      onFatal: () => {
        this.#exitCode = 1;
      },
      onEof: header.on_eof,
    };
  }

  /** The same ids in each replay, so that two replays can be compared. */
  #madeUpId(): string {
    this.#madeUpIds += 1;
    return `00000000-0000-4000-9000-${String(this.#madeUpIds).padStart(12, "0")}`;
  }

  #noteEmitted(line: string): void {
    const message: Act = JSON.parse(line);
    this.#emitted.push(message);
    this.#checkNumber(message);
    this.#toHost.note(comparable(message));
    this.#options.onEmitted?.(line);
  }

  /** Each number is one more than the last. It may differ from the recorded one. */
  #checkNumber({ seq }: Act): void {
    const due = this.#seq + 1;
    if (seq !== due)
      this.#misnumbered.push({ was: { dir: "seq", seq: due }, is: { dir: "seq", seq } });
    this.#seq = typeof seq === "number" ? seq : due;
  }

  async #playStep({ inputs, ids, due }: Step, bridge: PlayedBridge): Promise<void> {
    const [input] = inputs;
    if (input === undefined) return;
    this.#ids = [...ids];
    this.#clock.moveTo(Date.parse(this.#recorded.header.started_at) + input.t);
    this.#toHost.expect(due.emitted);
    this.#toClaude.expect(due.acts);
    const lines = inputs.flatMap(({ dir, msg }) => (dir === "host" || dir === "out" ? [msg] : []));
    this.#play(input, lines, bridge);
    // The promises of the bridge have settled after this, and no work is left.
    await setImmediate();
  }

  /** `lines` are the lines that came with the input, if it is a line. */
  #play(input: RecordedInput, lines: readonly RecordedLine[], bridge: PlayedBridge): void {
    switch (input.dir) {
      case "host":
        if (input.msg === END_OF_PIPE) this.#host.end();
        else {
          this.#hostLines += lines.length;
          this.#host.send(lines.map(toLine));
        }
        break;
      case "host_drained":
        this.#host.drain(input.msg);
        break;
      case "host_gone":
        this.#watch.stop();
        this.#host.leave(input.msg);
        break;
      case "signal":
        bridge.close();
        break;
      case "fault":
        bridge.fault(new Error(input.msg));
        break;
      case "timer":
        this.#clock.fire(input.msg);
        break;
      case "found":
      case "lookup_failed":
        this.#lookups.settle(input);
        break;
      case "out":
        this.#claudes.print(input.run, lines);
        break;
      case "exit":
        this.#claudes.exit(input.run, input.msg);
    }
  }

  #compareEnd(): Difference[] {
    const end = this.#recorded.entries.at(-1);
    if (end?.dir !== "ended") return [];
    const was = { dir: "ended", msg: end.msg };
    const is = { dir: "ended", msg: this.#exitCode };
    if (!this.#hasEnded) return [{ was }];
    return isSame(was, is) ? [] : [{ was, is }];
  }
}
