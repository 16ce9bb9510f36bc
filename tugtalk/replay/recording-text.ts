/** The text of a recording to its header and its entries. */
import { parseJson } from "../src/base/json.ts";
import { RecordedText, RecordingEntry, RecordingHeader } from "../src/recording/recording.ts";
import { RecordedTexts } from "./recorded-texts.ts";

/** A recording as it was read. */
export type Recorded = {
  readonly header: RecordingHeader;
  readonly entries: readonly RecordingEntry[];
  /** The bridge did not come to its end, or the file did not. */
  readonly isCut: boolean;
};

/** A file that is no recording, or not one of this version. The message names the line. */
export class NotARecording extends Error {}

/** Reads a recording. A last line that was cut short is left out. Throws `NotARecording`. */
export function parseRecording(text: string): Recorded {
  const [first = "", ...rest] = text.split("\n");
  const header = RecordingHeader.safeParse(parseJson(first));
  if (!header.success) throw new NotARecording("line 1 is not the header of a recording");
  const entries = entriesIn(rest.map(parseJson));
  return { header: header.data, entries, isCut: entries.at(-1)?.event !== "ended" };
}

function entriesIn(lines: readonly unknown[]): RecordingEntry[] {
  const texts = new RecordedTexts();
  const entries: RecordingEntry[] = [];
  for (const [index, line] of lines.entries()) {
    const [text, entry] = [RecordedText.safeParse(line), RecordingEntry.safeParse(line)];
    if (text.success) texts.put(text.data);
    else if (entry.success) {
      texts.take(entry.data);
      entries.push(entry.data);
    } else if (index !== lines.length - 1)
      throw new NotARecording(`line ${index + 2} is not an entry of a recording`);
  }
  texts.end();
  return entries;
}
