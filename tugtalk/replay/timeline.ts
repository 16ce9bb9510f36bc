/** A recording in steps: what comes in, and what is expected of the bridge by when. */
import type { RecordedOutput, RecordingEntry } from "../src/recording.ts";
import type { Act } from "./comparison.ts";

/** One entry, and how much the bridge had done by then. */
export type Step = {
  readonly entry: RecordingEntry;
  /** Messages to the host, this entry included. */
  readonly told: number;
  /** Acts towards Claude, this entry included. */
  readonly acts: number;
  /** The same before the next entry that comes in. */
  readonly due: { readonly told: number; readonly acts: number };
};

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
  const counted = entries.map((entry) => {
    if (isOutput(entry)) {
      const [said, done] = [toldIn(entry), actIn(entry)];
      told.push(...said);
      acts.push(...done);
      if (entry.masked === true) for (const act of [...said, ...done]) masked.add(act);
    }
    return { entry, told: told.length, acts: acts.length };
  });
  let due = { told: told.length, acts: acts.length };
  const steps = counted.toReversed().map((step) => {
    const own = due;
    if (!isOutput(step.entry)) due = { told: step.told, acts: step.acts };
    return { ...step, due: own };
  });
  return { steps: steps.reverse(), told, acts, masked };
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
    case "ended":
      return [];
  }
}

function asAct(line: unknown): Act {
  return typeof line === "object" && line !== null ? (line as Act) : { type: "text", text: line };
}
