/** One line of a pipe to the form in which a recording keeps it, without its secrets, and back. */
import { isJsonObject, type JsonObject, parseJson } from "../base/json.ts";
import { isDeeperThan, MAX_DEPTH } from "../base/json-depth.ts";
import { isOverlong, type Line, type OverlongLine } from "../base/lines.ts";
import { deltaIn, endedBy, withText } from "./delta-text.ts";
import { maskJson } from "./masking/mask-json.ts";
import { maskAll, type TextMask } from "./masking/mask-text.ts";
import type { RecordedLine, RecordedText } from "./recording.ts";
import { type EndedText, StreamedTexts } from "./streamed-texts.ts";

/** Deeper levels of a line are left out. The bridge may add some levels to what it receives. */
const KEPT_DEPTH = MAX_DEPTH + 16;

/** A pipe. With `isStrict` the bridge rejects lines that are not UTF-8. */
export type Pipe = { readonly name: string; readonly isStrict?: boolean };

const lenient = new TextDecoder();
const strict = new TextDecoder("utf-8", { fatal: true });

/** Masks lines, and the texts that are streamed in them. */
export class LineMask {
  readonly #mask: TextMask;
  readonly #texts = new StreamedTexts();
  #ended: EndedText[] = [];

  constructor(mask: TextMask) {
    this.#mask = mask;
  }

  /** The recorded form of a line. */
  mask(line: Line | string, pipe: Pipe): RecordedLine {
    if (typeof line === "string") return this.#maskLine(line, pipe);
    if (isOverlong(line)) return overlongForm(line);
    const text = decode(line, pipe);
    return text === undefined ? { $not_utf8_bytes: line.length } : this.#maskLine(text, pipe);
  }

  /** No more comes from this pipe, or from any. */
  endTexts(pipe?: Pipe): void {
    this.#end(pipe === undefined ? "" : keyOf(pipe, ""));
  }

  /** The texts that have ended since the last call, masked. */
  takeEnded(): readonly RecordedText[] {
    const ended = this.#ended;
    this.#ended = [];
    return ended.map(({ number, text }) => ({ $text: number, text: this.#mask.mask(text) }));
  }

  #maskLine(text: string, pipe: Pipe): RecordedLine {
    const value = parseJson(text);
    if (value === undefined) return maskAll(text);
    if (isDeeperThan(KEPT_DEPTH, value)) return this.#maskDeep(value, text.length);
    if (isPlain(value)) return this.#maskMessage(value, pipe);
    return JSON.stringify(maskJson(value, this.#mask));
  }

  #maskMessage(message: JsonObject, pipe: Pipe): RecordedLine {
    const delta = deltaIn(message);
    if (delta !== undefined) {
      const masked = maskJson(withText(message, delta.path, ""), this.#mask);
      const $text = this.#texts.add(keyOf(pipe, delta.key), delta.text);
      return { $text, ...withText(masked, delta.path, maskAll(delta.text)) };
    }
    const scope = endedBy(message);
    if (scope !== undefined) this.#end(keyOf(pipe, scope));
    return withoutUnreadable(maskJson(message, this.#mask));
  }

  /** The bridge cannot use such a line either. It reports its type or its text, whose length must stay. */
  #maskDeep(value: unknown, chars: number): string {
    return JSON.stringify(maskJson(cutBelow(KEPT_DEPTH, value), this.#mask)).padEnd(chars);
  }

  #end(prefix: string): void {
    this.#ended.push(...this.#texts.end(prefix));
  }
}

function keyOf({ name }: Pipe, key: string): string {
  return `${name} ${key}`;
}

/** The bridge searches what is left of such a line for the end of a turn, and for nothing else. */
function overlongForm({ overlongBytes, edges }: OverlongLine): RecordedLine {
  const [end = ""] = /"type":"result"/.exec(edges) ?? [];
  return { $overlong_bytes: overlongBytes, edges: end };
}

/** A line of Claude's that is not JSON is passed on as text. */
function withoutUnreadable(line: JsonObject): JsonObject {
  const { type, raw } = line;
  return type === "unknown_event" && typeof raw === "string"
    ? { ...line, raw: maskAll(raw) }
    : line;
}

function cutBelow(levels: number, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels < 0) return null;
  if (Array.isArray(value)) return value.map((inner) => cutBelow(levels - 1, inner));
  const entries = Object.entries(value).map(([key, inner]) => [key, cutBelow(levels - 1, inner)]);
  return Object.fromEntries(entries);
}

/** The line that was recorded, as the bridge received it except for its secrets. */
export function toLine(recorded: RecordedLine): Line {
  if (typeof recorded === "string") return Buffer.from(recorded);
  const { $not_utf8_bytes: bytes, $overlong_bytes: overlongBytes, edges } = recorded as JsonObject;
  if (typeof bytes === "number") return Buffer.alloc(bytes, 0xff);
  if (typeof overlongBytes === "number") return { overlongBytes, edges: String(edges) };
  return Buffer.from(JSON.stringify(recorded));
}

function decode(line: Uint8Array, { isStrict = false }: Pipe): string | undefined {
  try {
    return (isStrict ? strict : lenient).decode(line);
  } catch {
    return undefined; // Not UTF-8.
  }
}

/** An object that a recording can hold as it is: names that begin with `$` are the recording's own. */
function isPlain(value: unknown): value is JsonObject {
  return isJsonObject(value) && !Object.keys(value).some((key) => key.startsWith("$"));
}
