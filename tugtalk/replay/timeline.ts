/** A recording in steps: what comes in, and what the bridge did about it. */
import {
  RecordedInput,
  type RecordedOutput,
  type RecordingEntry,
} from "../src/recording/recording.ts";

/** One line of a pipe, or one act that is not a line. */
export type Act = Readonly<Record<string, unknown>>;

/** How much the bridge has done: messages to the host, acts towards Claude. */
type Done = { readonly emitted: number; readonly acts: number };

/** What follows an entry that comes in, up to the next one. The first step is the start. */
export type Step = {
  readonly entry: RecordedInput | undefined;
  /** The ids that were minted. */
  readonly ids: readonly string[];
  /** How much the bridge had done by the end of this step. */
  readonly due: Done;
};

export type Timeline = {
  readonly steps: readonly Step[];
  readonly emitted: readonly Act[];
  readonly acts: readonly Act[];
  /** Those of both in which something was masked. */
  readonly masked: ReadonlySet<Act>;
};

const INPUTS: ReadonlySet<string> = new Set(
  RecordedInput.options.map(({ shape }) => shape.event.value),
);

/** The steps of a recording. */
export function timelineOf(entries: readonly RecordingEntry[]): Timeline {
  const [emitted, acts]: [Act[], Act[]] = [[], []];
  const masked = new Set<Act>();
  const open = (entry?: RecordedInput) => ({
    entry,
    ids: [] as string[],
    due: { emitted: emitted.length, acts: acts.length },
  });
  const steps = [open()];
  for (const entry of entries) {
    if (isInput(entry)) steps.push(open(entry));
    const step = steps.at(-1);
    if (isInput(entry) || step === undefined) continue;
    if (entry.event === "minted") step.ids.push(entry.id);
    const act = actIn(entry);
    if (act === undefined) continue;
    (entry.event === "told" ? emitted : acts).push(act);
    if (entry.masked === true) masked.add(act);
    step.due = { emitted: emitted.length, acts: acts.length };
  }
  return { steps, emitted, acts, masked };
}

function isInput(entry: RecordingEntry): entry is RecordedInput {
  return INPUTS.has(entry.event);
}

/** What is compared of a message: its number, and what a newer bridge says of itself, is not. */
export function comparable({ seq: _seq, ...message }: Act): Act {
  if (message["type"] !== "protocol_ack") return message;
  const { tugtalk_version: _version, capabilities: _capabilities, ...rest } = message;
  return rest;
}

function actIn(entry: RecordedOutput): Act | undefined {
  switch (entry.event) {
    case "told":
      return comparable(asAct(entry.line));
    case "claude_started":
    case "claude_not_started":
      return { act: "start", args: entry.args };
    case "file_written":
    case "file_not_written":
      return { act: "file", name: entry.name };
    case "wrote":
      return { act: "write", run: entry.run, line: entry.line };
    case "input_closed":
      return { act: "close stdin", run: entry.run };
    case "killed":
      return { act: "signal", run: entry.run, signal: entry.signal };
    case "minted":
    case "ended":
      return undefined;
  }
}

function asAct(line: unknown): Act {
  return typeof line === "object" && line !== null ? (line as Act) : { type: "text", text: line };
}
