/** Puts the texts that were streamed back into the lines that carried their deltas. */
import { isJsonObject } from "../src/base/json.ts";
import { deltaIn, withText } from "../src/recording/delta-text.ts";
import type { RecordedLine, RecordedText, RecordingEntry } from "../src/recording/recording.ts";

/** The entries of a recording, with their deltas. */
export function restoreTexts(
  lines: readonly (RecordingEntry | RecordedText)[],
): readonly RecordingEntry[] {
  const texts = lines.filter((line) => "$text" in line);
  /** What has not been put back yet of each text. */
  const rests = new Map<unknown, string>(texts.map(({ $text, text }) => [$text, text]));
  const restore = (recorded: RecordedLine): RecordedLine => {
    if (!isJsonObject(recorded) || !("$text" in recorded)) return recorded;
    const { $text, ...line } = recorded;
    const { text: mask, path } = deltaIn(line) ?? { text: "", path: [] };
    const rest = rests.get($text) ?? "";
    rests.set($text, rest.slice(mask.length));
    // A text that is missing, or too long to be whole, stays masked.
    return rest.length < mask.length ? line : withText(line, path, rest.slice(0, mask.length));
  };
  return lines.flatMap((line): RecordingEntry[] => {
    if ("$text" in line) return [];
    if ("line" in line) return [{ ...line, line: restore(line.line) }];
    return "lines" in line ? [{ ...line, lines: line.lines.map(restore) }] : [line];
  });
}
