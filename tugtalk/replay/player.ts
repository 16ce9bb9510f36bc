/**
 * Plays a recording through a bridge of today: what came in comes in again, in its order and in its
 * pieces, each after the bridge has answered what came before; what goes out is compared.
 */
import { Bridge, type BridgePorts } from "../src/bridge.ts";
import type { RecordedInput, RecordingEntry } from "../src/recording.ts";
import { type Act, Comparison, type Difference } from "./comparison.ts";
import { PlayedClaudes } from "./played-claudes.ts";
import { PlayedHost } from "./played-host.ts";
import { PlayedLookups } from "./played-lookups.ts";
import type { Recorded } from "./recording-text.ts";
import { Renaming } from "./renaming.ts";
import { LineWatch, type SilentLines } from "./silent-lines.ts";
import {
  comparable,
  type Expected,
  expectedAfter,
  isOutput,
  lateReadings,
  type Step,
  type Timeline,
  timelineOf,
} from "./timeline.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** What a replay is given beside the recording. */
export type PlayOptions = {
  /** Gets each line that the host is told, with its LF. */
  readonly onTold?: (line: string) => void;
  /** Is awaited before what happened at this time, in ms since the start. */
  readonly pace?: (ms: number) => Promise<void>;
  /** Opens the bridge that is played, where it is not tugtalk's own. */
  readonly openBridge?: (ports: BridgePorts) => PlayedBridge;
};

/** What is done to a bridge that is played. */
export type PlayedBridge = Pick<Bridge, "run" | "close" | "fault">;

/** How a replay went. */
export type Replay = {
  readonly hostLines: number;
  readonly claudeLines: number;
  readonly claudes: number;
  /** All that the host was told, parsed. */
  readonly told: readonly Act[];
  readonly silent: SilentLines;
  /** What the host is told, and what Claude gets, otherwise than it was. */
  readonly differences: readonly Difference[];
  readonly isCut: boolean;
};

/**
 * Where the timers that ran are not noted: how much earlier a limit may have passed than the clock of
 * the recording has it, in ms.
 */
const EARLY_MS = 50;

/**
 * There, how much later, on a machine that was busy. Until then what came of a limit says that it has
 * passed.
 */
const LATE_MS = 2_000;

/** Plays a recording to its end. */
export function playRecording(recorded: Recorded, options: PlayOptions = {}): Promise<Replay> {
  return new Player(recorded, options).play();
}

class Player {
  readonly #recorded: Recorded;
  readonly #options: PlayOptions;
  readonly #timeline: Timeline;
  readonly #start: number;
  readonly #clock: VirtualClock;
  readonly #renaming: Renaming;
  readonly #host: PlayedHost;
  readonly #toHost: Comparison;
  readonly #toClaude: Comparison;
  readonly #watch: LineWatch;
  readonly #claudes: PlayedClaudes;
  readonly #lookups: PlayedLookups;
  readonly #told: Act[] = [];
  /** Up to which lines the pieces went that the host did not take at once. */
  readonly #slow: ReadonlySet<number>;
  readonly #misnumbered: Difference[] = [];
  #hostLines = 0;
  #seq = 0;
  #ids = 0;
  #exitCode = 0;
  #hasEnded = false;

  constructor(recorded: Recorded, options: PlayOptions) {
    const { header, entries, isCut } = recorded;
    this.#recorded = recorded;
    this.#options = options;
    this.#timeline = timelineOf(entries);
    this.#slow = new Set(entries.flatMap(slowIn));
    this.#start = Date.parse(header.started_at);
    this.#clock = new VirtualClock(this.#start);
    this.#renaming = new Renaming(this.#timeline.masked);
    this.#lookups = new PlayedLookups(this.#renaming);
    const judged = { renaming: this.#renaming, isCut };
    this.#toHost = new Comparison(this.#timeline.told, judged);
    this.#toClaude = new Comparison(this.#timeline.acts, judged);
    this.#watch = new LineWatch(() => this.#told.length);
    this.#claudes = new PlayedClaudes(entries, {
      acts: this.#toClaude,
      renaming: this.#renaming,
      watch: this.#watch,
    });
    this.#host = new PlayedHost(
      (line) => this.#heard(line),
      () => this.#slowPiece(),
    );
  }

  async play(): Promise<Replay> {
    const { steps } = this.#timeline;
    this.#clock.standAt(0, lateReadings(steps, -1));
    const bridge = this.#options.openBridge?.(this.#ports()) ?? new Bridge(this.#ports());
    void bridge.run().then(() => {
      this.#hasEnded = true;
    });
    for (const [index, step] of steps.entries()) {
      await this.#options.pace?.(step.entry.ms);
      if (isOutput(step.entry)) await this.#awaitOutput(step);
      else await this.#comeIn(step.entry, expectedAfter(steps, index), bridge);
    }
    return {
      hostLines: this.#hostLines,
      claudeLines: this.#watch.lines,
      claudes: this.#claudes.count,
      told: this.#told,
      silent: this.#watch.silent,
      differences: [
        ...this.#toHost.finish(),
        ...this.#toClaude.finish(),
        ...this.#misnumbered,
        ...this.#lookups.differences,
        ...this.#otherEnd(),
      ],
      isCut: this.#recorded.isCut,
    };
  }

  #ports(): BridgePorts {
    const { header } = this.#recorded;
    return {
      input: this.#host,
      output: this.#host.output,
      clock: this.#clock,
      newId: () => this.#newId(),
      log: () => {},
      spawn: (args) => this.#claudes.spawn(args),
      writePrivateFile: (name) => this.#claudes.writeFile(name),
      configure: () => {},
      past: {
        newestSessionId: () => this.#lookups.begin("newest_session"),
        findPlace: (...about) => this.#lookups.begin("place", about),
        hasBranched: (...about) => this.#lookups.begin("has_branched", about),
      },
      lastSession: {
        read: () => this.#lookups.begin("last_session"),
        keep: () => {},
        settled: () => Promise.resolve(),
      },
      readPast: (...about) => this.#lookups.begin("past", about),
      onFatal: () => {
        this.#exitCode = 1;
      },
      maxLineBytes: header.max_line_bytes,
      onEof: header.on_eof,
    };
  }

  /** The same ids in each replay, so that two of them can be compared. */
  #newId(): string {
    this.#ids += 1;
    return `00000000-0000-4000-9000-${String(this.#ids).padStart(12, "0")}`;
  }

  #heard(line: string): void {
    const message: Act = JSON.parse(line);
    this.#told.push(message);
    this.#count(message);
    this.#toHost.note(comparable(message));
    this.#options.onTold?.(line);
  }

  /** One more than the last: the numbers are compared with each other, not with those of then. */
  #count({ seq }: Act): void {
    const due = this.#seq + 1;
    if (seq !== due)
      this.#misnumbered.push({ was: { act: "seq", seq: due }, is: { act: "seq", seq } });
    this.#seq = typeof seq === "number" ? seq : due;
  }

  /** Up to which line the piece goes that is written now, where the host did not take it at once. */
  #slowPiece(): number | undefined {
    const { reached } = this.#toHost;
    return this.#slow.has(reached) ? reached : undefined;
  }

  /** What the bridge has not done by itself it did when a limit passed, also one that is not noted. */
  async #awaitOutput({ entry, told, acts }: Step): Promise<void> {
    if (this.#hasTimers) return;
    const isMissing = () =>
      this.#toHost.reached < told ||
      this.#toClaude.reached < acts ||
      (entry.event === "ended" && !this.#hasEnded);
    const limit = this.#start + entry.ms + EARLY_MS;
    while (isMissing() && this.#clock.runNext(limit)) await settle();
  }

  async #comeIn(
    entry: RecordedInput,
    { due, near, late }: Expected,
    bridge: PlayedBridge,
  ): Promise<void> {
    if (this.#hasTimers) this.#clock.standAt(entry.ms, late);
    else await this.#passLimits(this.#start + entry.ms);
    this.#toHost.expect(due.told, near.told);
    this.#toClaude.expect(due.acts, near.acts);
    this.#feed(entry, bridge);
    await settle();
  }

  /** Whether the recording tells which timers ran, so that nothing is guessed. */
  get #hasTimers(): boolean {
    return this.#recorded.header.timers === true;
  }

  /** Limits that were due well before this have passed, also those of which nothing came. */
  async #passLimits(now: number): Promise<void> {
    while (this.#clock.runNext(now - LATE_MS)) await settle();
    this.#clock.moveTo(now);
  }

  #feed(entry: RecordedInput, bridge: PlayedBridge): void {
    switch (entry.event) {
      case "host_said":
        this.#hostLines += entry.lines.length;
        this.#host.say(this.#renaming.linesOf(entry));
        break;
      case "host_ended":
        this.#host.end();
        break;
      case "host_took":
        this.#host.take(entry.up_to);
        break;
      case "host_gone":
        this.#host.leave(entry.up_to);
        break;
      case "signal":
        bridge.close();
        break;
      case "fault":
        bridge.fault(new Error(this.#renaming.rename(entry.message)));
        break;
      case "timer":
        this.#clock.fire(entry.number, entry.delay_ms);
        break;
      case "found":
      case "lookup_failed":
        this.#lookups.end(entry);
        break;
      case "claude_said":
      case "claude_output_ended":
      case "claude_exited":
        this.#claudes.play(entry);
    }
  }

  #otherEnd(): Difference[] {
    const end = this.#recorded.entries.at(-1);
    if (end?.event !== "ended") return [];
    const was = { act: "end", exit_code: end.exit_code };
    const is = { act: "end", exit_code: this.#exitCode };
    if (!this.#hasEnded) return [{ was }];
    return end.exit_code === this.#exitCode ? [] : [{ was, is }];
  }
}

function slowIn(entry: RecordingEntry): number[] {
  return entry.event === "host_took" || entry.event === "host_gone" ? [entry.up_to] : [];
}

/** The bridge does nothing more by itself: all its promises are through. */
function settle(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
