/** A recording in steps: the inputs, and the actions of the bridge after them. */
import { fieldsOf } from "../src/base/json.ts";
import {
  END_OF_PIPE,
  isInput,
  type RecordedInput,
  type RecordedOutput,
  type RecordingEntry,
} from "../src/recording/recording.ts";

/** A compared act: a message to the host, or an entry about Claude. */
export type Act = Readonly<Record<string, unknown>>;

/** The numbers of the bridge's messages to the host and of its acts towards Claude. */
type Done = { readonly emitted: number; readonly acts: number };

/**
 * Inputs that came together, and the acts after them, up to the next inputs. The first step has no inputs.
 */
export type Step = {
  /** One input, or lines of one pipe. */
  readonly inputs: readonly RecordedInput[];
  /** The ids that the bridge made. */
  readonly ids: readonly string[];
  /** The acts of the bridge by the end of this step. */
  readonly due: Done;
};

export type Timeline = {
  readonly steps: readonly Step[];
  readonly emitted: readonly Act[];
  readonly acts: readonly Act[];
};

/** The steps of a recording. */
export function timelineOf(entries: readonly RecordingEntry[]): Timeline {
  const [emitted, acts]: [Act[], Act[]] = [[], []];
  const steps: Step[] = [];
  let [inputs, ids]: [RecordedInput[], string[]] = [[], []];
  const close = () =>
    steps.push({ inputs, ids, due: { emitted: emitted.length, acts: acts.length } });
  let before: RecordingEntry | undefined;
  for (const entry of entries) {
    if (isInput(entry)) {
      if (isTogether(before, entry)) inputs.push(entry);
      else {
        close();
        [inputs, ids] = [[entry], []];
      }
    } else if (entry.dir === "id") ids.push(entry.msg);
    else if (entry.dir === "emit") emitted.push(comparable(fieldsOf(entry.msg)));
    else if (entry.dir !== "ended") acts.push(actOf(entry));
    before = entry;
  }
  close();
  return { steps, emitted, acts };
}

/**
 * Whether an input came in the same read as the one before: lines of one pipe with nothing between them do.
 * The end of a pipe comes alone.
 */
function isTogether(before: RecordingEntry | undefined, entry: RecordedInput): boolean {
  if (entry.dir !== "host" && entry.dir !== "out") return false;
  if (before?.dir !== entry.dir || before.t !== entry.t) return false;
  return before.msg !== END_OF_PIPE && entry.msg !== END_OF_PIPE && runOf(before) === runOf(entry);
}

function runOf(entry: RecordingEntry): number | undefined {
  return "run" in entry ? entry.run : undefined;
}

/** A message without its number, and without a newer bridge's facts about itself. */
export function comparable({ seq: _seq, ...message }: Act): Act {
  if (message["type"] !== "protocol_ack") return message;
  const { tugtalk_version: _version, capabilities: _capabilities, ...rest } = message;
  return rest;
}

/** An act towards Claude, without its time. */
export function actOf({ t: _t, ...act }: RecordedOutput): Act {
  return act;
}
