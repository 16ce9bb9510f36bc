/**
 * Plays a recording through a bridge of today: what came in comes in again, in its order and in its
 * pieces, each after the bridge has answered what came before; what goes out is compared.
 */
import { type ConnectionPorts, HostConnection } from "../src/edge/host-connection.ts";
import { toLine } from "../src/recording/recorded-line.ts";
import type { RecordedInput, RecordingEntry } from "../src/recording/recording.ts";
import { Comparison, type Difference } from "./comparison.ts";
import { PlayedClaudes } from "./played-claudes.ts";
import { PlayedHost } from "./played-host.ts";
import { PlayedLookups } from "./played-lookups.ts";
import type { Recorded } from "./recording-text.ts";
import { LineWatch, type SilentLines } from "./silent-lines.ts";
import { type Act, comparable, type Step, type Timeline, timelineOf } from "./timeline.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** What a replay is given beside the recording. */
export type PlayOptions = {
  /** Gets each line that the host is sent, with its LF. */
  readonly onSent?: (line: string) => void;
  /** Opens the bridge that is played, where it is not tugtalk's own. */
  readonly openBridge?: (ports: ConnectionPorts) => PlayedBridge;
};

/** What is done to a bridge that is played. */
export type PlayedBridge = Pick<HostConnection, "run" | "close" | "fault">;

/** How a replay went. */
export type Replay = {
  readonly hostLines: number;
  readonly claudeLines: number;
  readonly claudes: number;
  /** All that the host was sent, parsed. */
  readonly emitted: readonly Act[];
  readonly silent: SilentLines;
  /** What the host is sent, and what Claude gets, that is not as it was. */
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
  /** Up to which lines the pieces went that the host did not take at once. */
  readonly #slow: ReadonlySet<number>;
  readonly #misnumbered: Difference[] = [];
  #hostLines = 0;
  #seq = 0;
  /** The ids that were minted in this step, and those that were not. */
  #ids: string[] = [];
  #surplusIds = 0;
  #exitCode = 0;
  #hasEnded = false;

  constructor(recorded: Recorded, options: PlayOptions) {
    const { header, entries, isCut } = recorded;
    this.#recorded = recorded;
    this.#options = options;
    this.#timeline = timelineOf(entries);
    this.#slow = new Set(entries.flatMap(slowIn));
    this.#clock = new VirtualClock(Date.parse(header.started_at));
    const { emitted, acts, masked } = this.#timeline;
    this.#toHost = new Comparison(emitted, { masked, isCut });
    this.#toClaude = new Comparison(acts, { masked, isCut });
    this.#claudes = new PlayedClaudes(entries, this.#toClaude, this.#watch);
    this.#host = new PlayedHost(
      (line) => this.#noteSent(line),
      () => this.#slowPiece(),
    );
  }

  async play(): Promise<Replay> {
    const [start, ...steps] = this.#timeline.steps;
    this.#ids = [...(start?.ids ?? [])];
    const bridge = this.#options.openBridge?.(this.#ports()) ?? new HostConnection(this.#ports());
    void bridge.run().then(() => {
      this.#hasEnded = true;
    });
    for (const step of steps) await this.#take(step, bridge);
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
        ...this.#otherEnd(),
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
      newId: () => this.#ids.shift() ?? this.#surplusId(),
      log: () => {},
      spawn: (args) => this.#claudes.spawn(args),
      writeSecretFile: (name) => this.#claudes.writeFile(name),
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
      onEof: header.on_eof,
    };
  }

  /** The same ids in each replay, so that two of them can be compared. */
  #surplusId(): string {
    this.#surplusIds += 1;
    return `00000000-0000-4000-9000-${String(this.#surplusIds).padStart(12, "0")}`;
  }

  #noteSent(line: string): void {
    const message: Act = JSON.parse(line);
    this.#emitted.push(message);
    this.#count(message);
    this.#toHost.note(comparable(message));
    this.#options.onSent?.(line);
  }

  /** One more than the last: the numbers are compared with each other, not with those of then. */
  #count({ seq }: Act): void {
    const due = this.#seq + 1;
    if (seq !== due)
      this.#misnumbered.push({ was: { act: "seq", seq: due }, is: { act: "seq", seq } });
    this.#seq = typeof seq === "number" ? seq : due;
  }

  /** Up to which line the piece goes that is written, where the host did not take it at once. */
  #slowPiece(): number | undefined {
    const { reached } = this.#toHost;
    return this.#slow.has(reached) ? reached : undefined;
  }

  async #take({ entry, ids, due }: Step, bridge: PlayedBridge): Promise<void> {
    if (entry === undefined) return;
    this.#ids = [...ids];
    this.#clock.moveTo(Date.parse(this.#recorded.header.started_at) + entry.ms);
    this.#toHost.expect(due.emitted);
    this.#toClaude.expect(due.acts);
    this.#feed(entry, bridge);
    await settle();
  }

  #feed(entry: RecordedInput, bridge: PlayedBridge): void {
    switch (entry.event) {
      case "host_said":
        this.#hostLines += entry.lines.length;
        this.#host.send(entry.lines.map(toLine));
        break;
      case "host_ended":
        this.#host.end();
        break;
      case "host_took":
        this.#host.take(entry.up_to);
        break;
      case "host_gone":
        this.#watch.stop();
        this.#host.leave(entry.up_to);
        break;
      case "signal":
        bridge.close();
        break;
      case "fault":
        bridge.fault(new Error(entry.message));
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
