/** Puts the texts that streamed back into the lines that carried their pieces. */

import { isJsonObject, type JsonObject } from "../src/base/json.ts";
import { pieceIn, withText } from "../src/recording/delta-text.ts";
import type { RecordedLine, RecordedText, RecordingEntry } from "../src/recording/recording.ts";

/** A line with a piece of a text, and how to put another in its place. */
type Piece = {
  readonly entry: RecordingEntry;
  readonly line: JsonObject;
  readonly put: (line: RecordedLine) => void;
};

export class RecordedTexts {
  readonly #waiting = new Map<unknown, Piece[]>();

  /** Takes an entry as it was read; remembers which texts its lines wait for. */
  take(entry: RecordingEntry): void {
    if (entry.event === "told")
      this.#wait(entry, entry.line, (line) => {
        entry.line = line;
      });
    if (entry.event === "claude_said")
      for (const [index, line] of entry.lines.entries())
        this.#wait(entry, line, (whole) => {
          entry.lines[index] = whole;
        });
  }

  /** Puts a text into the lines that wait for it. */
  put({ $text, text, masked }: RecordedText): void {
    let at = 0;
    for (const { entry, line, put } of this.#waiting.get($text) ?? []) {
      const side = entry.event === "told" ? "bridge" : "claude";
      const { path = [], text: stars = "" } = pieceIn(side, line) ?? {};
      // Of a text that was too long only the beginning is known.
      const isKnown = at + stars.length <= text.length;
      if (isKnown) put(withText(line, path, text.slice(at, at + stars.length)));
      at += stars.length;
      if (masked === true || !isKnown) entry.masked = true;
    }
    this.#waiting.delete($text);
  }

  /** Texts that never ended are masked whole. */
  end(): void {
    for (const { entry } of [...this.#waiting.values()].flat()) entry.masked = true;
  }

  #wait(entry: RecordingEntry, recorded: RecordedLine, put: Piece["put"]): void {
    if (!isJsonObject(recorded) || !("$text" in recorded)) return;
    const { $text, ...line } = recorded;
    put(line);
    const pieces = this.#waiting.get($text) ?? [];
    pieces.push({ entry, line, put });
    this.#waiting.set($text, pieces);
  }
}
