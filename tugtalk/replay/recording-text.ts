/** Parses the text of a recording into its header and its entries. */
import { z } from "zod";
import { fieldsOf, parseJson } from "../src/base/json.ts";
import { RecordedText, restoreTexts } from "../src/recording/recorded-texts.ts";
import { RecordingEntry, RecordingHeader } from "../src/recording/recording.ts";

/** A recording as it was read. */
export type Recorded = {
  readonly header: RecordingHeader;
  readonly entries: readonly RecordingEntry[];
  /** The recording ends before its bridge did, or the file is cut short. */
  readonly isCut: boolean;
};

/** The file is not a recording, or has another version. The message names the line. */
export class NotARecording extends Error {}

const Line = z.union([RecordedText, RecordingEntry]);

/** Parses a recording. Leaves out a last line that was cut short. Throws `NotARecording`. */
export function parseRecording(text: string): Recorded {
  const [first = "", ...rest] = text.split("\n");
  const header = RecordingHeader.safeParse(fieldsOf(parseJson(first))["msg"]);
  if (!header.success) throw new NotARecording("line 1 is not the header of a recording");
  const lines = rest.flatMap((line, index) => {
    const parsed = Line.safeParse(parseJson(line));
    if (parsed.success) return [parsed.data];
    if (index === rest.length - 1) return [];
    throw new NotARecording(`line ${index + 2} is not an entry of a recording`);
  });
  const entries = restoreTexts<RecordingEntry>(lines);
  return { header: header.data, entries, isCut: entries.at(-1)?.dir !== "ended" };
}
