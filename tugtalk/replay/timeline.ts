/** A recording in steps: what comes in, and what is expected of the bridge by when. */
import type { RecordedOutput, RecordingEntry } from "../src/recording.ts";
import type { Act } from "./comparison.ts";
import type { LateReading } from "./virtual-clock.ts";

/** One entry, and how much the bridge had done by then, this entry included. */
export type Step = Done & { readonly entry: RecordingEntry };

/** What comes of an entry that comes in. */
export type Expected = {
  /** How much the bridge has done before the next entry that comes in. */
  readonly due: Done;
  /**
   * Up to where the bridge may be already: what it does by itself and what the host says a moment
   * later come in an order that chance decides.
   */
  readonly near: Done;
  /** Where the bridge read the clock late, before the next entry that comes in. */
  readonly late: readonly LateReading[];
};

/** How much the bridge has done: messages to the host, acts towards Claude. */
type Done = { readonly told: number; readonly acts: number };

/** How long such a moment is, in ms. */
const MOMENT_MS = 100;

export type Timeline = {
  readonly steps: readonly Step[];
  readonly told: readonly Act[];
  readonly acts: readonly Act[];
  /** Those of both in which something was masked. */
  readonly masked: ReadonlySet<Act>;
};

export type ClaudeStart = Extract<
  RecordedOutput,
  { event: "claude_started" | "claude_not_started" }
>;

export type FileWrite = Extract<RecordedOutput, { event: "file_written" | "file_not_written" }>;

/** The steps of a recording. */
export function timelineOf(entries: readonly RecordingEntry[]): Timeline {
  const [told, acts]: [Act[], Act[]] = [[], []];
  const masked = new Set<Act>();
  const steps = entries.map((entry) => {
    if (isOutput(entry)) {
      const [said, done] = [toldIn(entry), actIn(entry)];
      told.push(...said);
      acts.push(...done);
      if (entry.masked === true) for (const act of [...said, ...done]) masked.add(act);
    }
    return { entry, told: told.length, acts: acts.length };
  });
  return { steps, told, acts, masked };
}

/** What is expected of the bridge once the entry at `index` has come in. */
export function expectedAfter(steps: readonly Step[], index: number): Expected {
  const entry = steps[index]?.entry;
  return {
    due: doneBefore(steps, index, comesIn),
    near: doneBefore(steps, index, (next) => comesIn(next) && !isNear(entry, next)),
    late: lateReadings(steps, index),
  };
}

/** What has been done just before the next entry after `index` that `ends` the time in question. */
function doneBefore(
  steps: readonly Step[],
  index: number,
  ends: (entry: RecordingEntry) => boolean,
): Done {
  let last = steps[index];
  for (let at = index + 1; at < steps.length; at += 1) {
    const next = steps[at];
    if (next === undefined || ends(next.entry)) break;
    last = next;
  }
  const { told = 0, acts = 0 } = last ?? {};
  return { told, acts };
}

/** Where the bridge read the clock late between the entry at `index` and the next one that comes in. */
export function lateReadings(steps: readonly Step[], index: number): LateReading[] {
  const late: LateReading[] = [];
  for (let at = index + 1; at < steps.length; at += 1) {
    const entry = steps[at]?.entry;
    if (entry === undefined || comesIn(entry)) break;
    if (entry.event === "read_clock") late.push(entry);
  }
  return late;
}

function comesIn(entry: RecordingEntry): boolean {
  return !isOutput(entry);
}

/** Whether the host said this in the moment after `entry`. */
function isNear(entry: RecordingEntry | undefined, next: RecordingEntry): boolean {
  return next.event === "host_said" && next.ms - (entry?.ms ?? 0) <= MOMENT_MS;
}

/** Whether an entry is what the bridge did. */
export function isOutput(entry: RecordingEntry): entry is RecordedOutput {
  switch (entry.event) {
    case "told":
    case "claude_started":
    case "claude_not_started":
    case "file_written":
    case "file_not_written":
    case "wrote":
    case "input_closed":
    case "killed":
    case "read_clock":
    case "ended":
      return true;
    default:
      return false;
  }
}

/** A start of Claude, or a failure to start it. */
export function isStart(entry: RecordingEntry): entry is ClaudeStart {
  return entry.event === "claude_started" || entry.event === "claude_not_started";
}

/** A file for Claude that was written, or could not be. */
export function isFile(entry: RecordingEntry): entry is FileWrite {
  return entry.event === "file_written" || entry.event === "file_not_written";
}

/** What is compared of a message: its number, and what a newer bridge says of itself, is not. */
export function comparable({ seq: _seq, ...message }: Act): Act {
  if (message["type"] !== "protocol_ack") return message;
  const { tugtalk_version: _version, capabilities: _capabilities, ...rest } = message;
  return rest;
}

function toldIn(entry: RecordedOutput): Act[] {
  return entry.event === "told" ? [comparable(asAct(entry.line))] : [];
}

function actIn(entry: RecordedOutput): Act[] {
  switch (entry.event) {
    case "claude_started":
    case "claude_not_started":
      return [{ act: "start", args: entry.args }];
    case "file_written":
    case "file_not_written":
      return [{ act: "file", name: entry.name }];
    case "wrote":
      return [{ act: "write", run: entry.run, line: entry.line }];
    case "input_closed":
      return [{ act: "close stdin", run: entry.run }];
    case "killed":
      return [{ act: "signal", run: entry.run, signal: entry.signal }];
    case "told":
    case "read_clock":
    case "ended":
      return [];
  }
}

function asAct(line: unknown): Act {
  return typeof line === "object" && line !== null ? (line as Act) : { type: "text", text: line };
}
