/** A recording in steps: what came in, and what the bridge did after it. */
import { fieldsOf } from "../src/base/json.ts";
import {
  isInput,
  type RecordedInput,
  type RecordedOutput,
  type RecordingEntry,
} from "../src/recording/recording.ts";

/** What is compared: a message to the host, or an entry about Claude. */
export type Act = Readonly<Record<string, unknown>>;

/** How much the bridge has done: messages to the host, acts towards Claude. */
type Done = { readonly emitted: number; readonly acts: number };

/** An input and what follows it, up to the next one. The first step has no input. */
export type Step = {
  readonly input: RecordedInput | undefined;
  /** The ids that the bridge made. */
  readonly ids: readonly string[];
  /** How much the bridge had done by the end of this step. */
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
  let [input, ids]: [RecordedInput | undefined, string[]] = [undefined, []];
  const close = () =>
    steps.push({ input, ids, due: { emitted: emitted.length, acts: acts.length } });
  for (const entry of entries) {
    if (isInput(entry)) {
      close();
      [input, ids] = [entry, []];
    } else if (entry.event === "new_id") ids.push(entry.id);
    else if (entry.event === "emitted") emitted.push(comparable(fieldsOf(entry.line)));
    else if (entry.event !== "ended") acts.push(actOf(entry));
  }
  close();
  return { steps, emitted, acts };
}

/** A message without its number, and without what a newer bridge reports of itself. */
export function comparable({ seq: _seq, ...message }: Act): Act {
  if (message["type"] !== "protocol_ack") return message;
  const { tugtalk_version: _version, capabilities: _capabilities, ...rest } = message;
  return rest;
}

/** An act towards Claude, without its time. */
export function actOf({ ms: _ms, ...act }: RecordedOutput): Act {
  return act;
}
