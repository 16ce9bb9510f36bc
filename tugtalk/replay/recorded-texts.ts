/** Puts the texts that were streamed back into the lines that carried their deltas. */
import { isJsonObject } from "../src/base/json.ts";
import { deltaIn, withText } from "../src/recording/delta-text.ts";
import type { RecordedLine, RecordedText, RecordingEntry } from "../src/recording/recording.ts";

export class RecordedTexts {
  /** What has not been put back yet of each text, by its number. */
  readonly #rest = new Map<unknown, string>();

  constructor(texts: readonly RecordedText[]) {
    for (const { $text, text } of texts) this.#rest.set($text, text);
  }

  /** The entry with its deltas. Entries must come in their order. */
  restore(entry: RecordingEntry): RecordingEntry {
    if ("line" in entry) return { ...entry, line: this.#restoreLine(entry.line) };
    if (!("lines" in entry)) return entry;
    return { ...entry, lines: entry.lines.map((line) => this.#restoreLine(line)) };
  }

  #restoreLine(recorded: RecordedLine): RecordedLine {
    if (!isJsonObject(recorded) || !("$text" in recorded)) return recorded;
    const { $text, ...line } = recorded;
    const { text: mask, path } = deltaIn(line) ?? { text: "", path: [] };
    const rest = this.#rest.get($text) ?? "";
    this.#rest.set($text, rest.slice(mask.length));
    // A text that is missing, or too long to be whole, stays masked.
    return rest.length < mask.length ? line : withText(line, path, rest.slice(0, mask.length));
  }
}
