/** Puts the texts that streamed back into the lines that carried their pieces. */
import { pieceIn } from "../src/delta-text.ts";
import type { RecordedText, RecordingEntry } from "../src/recording.ts";

type Json = Record<string, unknown>;

/** A line with a piece of a text, and the entry that it stands in. */
type Piece = { readonly entry: RecordingEntry; readonly line: Json };

export class RecordedTexts {
  readonly #waiting = new Map<unknown, Piece[]>();

  /** Takes an entry as it was read; remembers which texts its lines wait for. */
  take(entry: RecordingEntry): void {
    for (const line of linesOf(entry)) {
      if (!isJson(line) || !("$text" in line)) continue;
      const { $text } = line;
      delete line["$text"];
      const pieces = this.#waiting.get($text) ?? [];
      pieces.push({ entry, line });
      this.#waiting.set($text, pieces);
    }
  }

  /** Puts a text into the lines that wait for it. */
  put({ $text, text, masked }: RecordedText): void {
    let at = 0;
    for (const { entry, line } of this.#waiting.get($text) ?? []) {
      const side = entry.event === "told" ? "bridge" : "claude";
      const { path = [], text: before = "" } = pieceIn(side, line) ?? {};
      // Of a text that was too long only the beginning is known.
      const end = at + before.length;
      const isKnown = end <= text.length;
      if (isKnown) setAt(line, path, text.slice(at, end));
      at = end;
      if (masked === true || !isKnown) entry.masked = true;
    }
    this.#waiting.delete($text);
  }

  /** Texts that never ended are masked whole. */
  end(): void {
    for (const { entry } of [...this.#waiting.values()].flat()) entry.masked = true;
  }
}

function linesOf(entry: RecordingEntry): readonly unknown[] {
  if ("lines" in entry) return entry.lines;
  return "line" in entry ? [entry.line] : [];
}

function setAt(line: Json, path: readonly string[], text: string): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  const inner = line[name];
  if (rest.length > 0 && isJson(inner)) setAt(inner, rest, text);
  else line[name] = text;
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}
