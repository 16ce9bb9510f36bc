/** One line of a pipe to the form in which a recording keeps it, without its secrets, and back. */

import { isJsonObject, type JsonObject, parseJson } from "../base/json.ts";
import { isDeeperThan, MAX_DEPTH } from "../base/json-depth.ts";
import { isOverlong, type Line, type OverlongLine } from "../base/lines.ts";
import { endsIn, pieceIn, type Side, withText } from "./delta-text.ts";
import { maskJson } from "./masking/mask-json.ts";
import { stars, type TextMask } from "./masking/mask-text.ts";
import type { RecordedLine } from "./recording.ts";
import { type EndedText, StreamedTexts } from "./streamed-texts.ts";

/** What is kept of a line that is nested deeper. The bridge may add some levels to what it takes. */
const KEPT_DEPTH = MAX_DEPTH + 16;

/** A pipe, and whose texts stream there, if any do. */
export type Pipe = { readonly name: string; readonly side?: Side };

/** The recorded form of a line, as JSON, and the texts that end with it. */
export type LineRecord = {
  readonly json: string;
  readonly isMasked: boolean;
  readonly ended: readonly MaskedText[];
};

/** A text that has ended, without its secrets. */
export type MaskedText = EndedText & { readonly isMasked: boolean };

/** Claude's lines are read as the bridge reads them, whatever their bytes; a host's must be UTF-8. */
const lenient = new TextDecoder();
const strict = new TextDecoder("utf-8", { fatal: true });

/** Masks lines, and the texts that stream in them. */
export class LineMask {
  readonly #mask: TextMask;
  readonly #texts = new StreamedTexts();

  constructor(mask: TextMask) {
    this.#mask = mask;
  }

  /** The recorded form of a line. */
  take(line: Line | string, pipe: Pipe): LineRecord {
    if (typeof line === "string") return this.#takeText(line, pipe);
    if (isOverlong(line)) return record(formOfOverlong(line), true);
    const text = textOf(line, pipe);
    if (text !== undefined) return this.#takeText(text, pipe);
    return record({ $base64: Buffer.alloc(line.length, 0xff).toString("base64") }, true);
  }

  /** Ends the texts of this pipe, or of all. */
  end(pipe?: Pipe): readonly MaskedText[] {
    return this.#masked(this.#texts.end(pipe === undefined ? "" : keyOf(pipe, "")));
  }

  #takeText(text: string, pipe: Pipe): LineRecord {
    const value = parseJson(text);
    if (value === undefined) return record(stars(text), true);
    if (isDeeperThan(KEPT_DEPTH, value)) return record(this.#cutText(value, text.length), true);
    if (isPlain(value)) return this.#takeMessage(value, pipe);
    const masked = maskJson(value, this.#mask);
    return record(JSON.stringify(masked), masked !== value);
  }

  #takeMessage(message: JsonObject, pipe: Pipe): LineRecord {
    const piece = pipe.side && pieceIn(pipe.side, message);
    const prefix = pipe.side && endsIn(pipe.side, message);
    if (piece === undefined) {
      const masked = withoutUnread(maskJson(message, this.#mask));
      const ended = prefix === undefined ? [] : this.#texts.end(keyOf(pipe, prefix));
      return record(masked, masked !== message, this.#masked(ended));
    }
    const $text = this.#texts.add(keyOf(pipe, piece.key), piece.text);
    const bare = withText(message, piece.path, "");
    const masked = maskJson(bare, this.#mask);
    const form = { $text, ...withText(masked, piece.path, stars(piece.text)) };
    return record(form, masked !== bare, this.#masked(this.#texts.endSurplus()));
  }

  /** The bridge cannot take it either, and passes on no more than its text: only its length must stay. */
  #cutText(value: unknown, chars: number): string {
    const masked = maskJson(cutBelow(KEPT_DEPTH, value), this.#mask);
    return JSON.stringify(masked).padEnd(chars);
  }

  #masked(texts: readonly EndedText[]): readonly MaskedText[] {
    return texts.map(({ number, text }) => {
      const masked = this.#mask.mask(text);
      return { number, text: masked, isMasked: masked !== text };
    });
  }
}

function record(
  form: RecordedLine,
  isMasked: boolean,
  ended: readonly MaskedText[] = [],
): LineRecord {
  return { json: JSON.stringify(form), isMasked, ended };
}

function keyOf({ name }: Pipe, key: string): string {
  return `${name} ${key}`;
}

/** The bridge searches what is left of such a line for the end of a turn, and for nothing else. */
function formOfOverlong({ overlongBytes, edges }: OverlongLine): RecordedLine {
  const [end = ""] = /"type":"result"/.exec(edges) ?? [];
  return { $overlong_bytes: overlongBytes, edges: end };
}

/** A line of Claude's that the bridge could not read is passed on as text. */
function withoutUnread(line: JsonObject): JsonObject {
  const { type, raw } = line;
  return type === "unknown_event" && typeof raw === "string" ? { ...line, raw: stars(raw) } : line;
}

function cutBelow(levels: number, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels < 0) return null;
  if (Array.isArray(value)) return value.map((inner) => cutBelow(levels - 1, inner));
  const entries = Object.entries(value).map(([key, inner]) => [key, cutBelow(levels - 1, inner)]);
  return Object.fromEntries(entries);
}

/** The line that was recorded, as the bridge met it but for its secrets. */
export function toLine(recorded: RecordedLine): Line {
  if (typeof recorded === "string") return Buffer.from(recorded);
  const { $base64, $overlong_bytes: overlongBytes, edges }: Record<string, unknown> = recorded;
  if (typeof $base64 === "string") return Buffer.from($base64, "base64");
  if (typeof overlongBytes === "number") return { overlongBytes, edges: String(edges) };
  return Buffer.from(JSON.stringify(recorded));
}

function textOf(line: Uint8Array, { side }: Pipe): string | undefined {
  try {
    return (side === "claude" ? lenient : strict).decode(line);
  } catch {
    return undefined; // Not UTF-8.
  }
}

/** An object that a recording can hold as one: names that begin so are the recording's own. */
function isPlain(value: unknown): value is JsonObject {
  return isJsonObject(value) && !Object.keys(value).some((key) => key.startsWith("$"));
}
