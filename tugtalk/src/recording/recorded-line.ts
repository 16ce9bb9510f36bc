/** One line of a pipe to the form in which a recording keeps it, without its secrets, and back. */
import { isUtf8 } from "node:buffer";
import { type Fields, isJsonObject, parseJson } from "../base/json.ts";
import { isDeeperThan } from "../base/json-depth.ts";
import { headFields } from "../base/json-head.ts";
import { isOverlong, type Line } from "../base/lines.ts";
import { isOverlongResult } from "../claude/overlong-result.ts";
import { deltaIn, endedBy, withText } from "./delta-text.ts";
import { KEPT_DEPTH, maskJson } from "./masking/mask-json.ts";
import { maskAll, type TextMask } from "./masking/mask-text.ts";
import type { RecordedLine } from "./recording.ts";
import type { StreamedTexts } from "./streamed-texts.ts";

/** A pipe; no name begins with another. With `isStrict` the bridge rejects lines that are not UTF-8. */
export type Pipe = { readonly name: string; readonly isStrict?: boolean };

const decoder = new TextDecoder();

/** Masks lines, and the texts that are streamed in them. */
export class LineMask {
  readonly #mask: TextMask;
  readonly #texts: StreamedTexts;

  /** `texts` gets the deltas. */
  constructor(mask: TextMask, texts: StreamedTexts) {
    this.#mask = mask;
    this.#texts = texts;
  }

  /** The recorded form of a line. */
  mask(line: Line | string, pipe: Pipe): RecordedLine {
    if (typeof line === "string") return this.#maskLine(line, pipe);
    if (isOverlong(line)) {
      // The bridge searches the edges for the end of a turn, and the head for ids: nothing else is kept.
      const edges = isOverlongResult(line) ? '"type":"result"' : "";
      const { id, request_id, message_id } = headFields(line.head);
      const head = JSON.stringify(maskJson({ id, request_id, message_id }, this.#mask));
      return { $overlong_bytes: line.overlongBytes, head, edges };
    }
    if (pipe.isStrict === true && !isUtf8(line)) return { $not_utf8_bytes: line.length };
    return this.#maskLine(decoder.decode(line), pipe);
  }

  #maskLine(text: string, pipe: Pipe): RecordedLine {
    const value = parseJson(text);
    if (value === undefined) return maskAll(text);
    if (isDeeperThan(KEPT_DEPTH, value)) return this.#maskDeep(value, text.length);
    if (isPlain(value)) return this.#maskMessage(value, pipe);
    return JSON.stringify(maskJson(value, this.#mask));
  }

  #maskMessage(message: Fields, pipe: Pipe): RecordedLine {
    const delta = deltaIn(message);
    if (delta !== undefined) {
      const masked = maskJson(withText(message, delta.path, ""), this.#mask);
      const $text = this.#texts.add(pipe.name + delta.key, delta.text);
      return { $text, ...withText(masked, delta.path, maskAll(delta.text)) };
    }
    const scope = endedBy(message);
    if (scope !== undefined) this.#texts.end(pipe.name + scope);
    return withoutUnreadable(maskJson(message, this.#mask));
  }

  /**
   * The bridge cannot use this line either. It reports the type or the text of the line, so the length stays.
   */
  #maskDeep(value: unknown, chars: number): string {
    return JSON.stringify(maskJson(value, this.#mask)).padEnd(chars);
  }
}

/** A line of Claude's that is not JSON is passed on as text. */
function withoutUnreadable(line: Fields): Fields {
  const { type, raw } = line;
  return type === "unknown_event" && typeof raw === "string"
    ? { ...line, raw: maskAll(raw) }
    : line;
}

/** The line that was recorded, as the bridge received it except for its secrets. */
export function toLine(recorded: RecordedLine): Line {
  if (typeof recorded === "string") return Buffer.from(recorded);
  const { $not_utf8_bytes: bytes, $overlong_bytes: overlongBytes, ...rest } = recorded as Fields;
  if (typeof bytes === "number") return Buffer.alloc(bytes, 0xff);
  if (typeof overlongBytes === "number") {
    const { head = "", edges } = rest;
    return { overlongBytes, head: String(head), edges: String(edges) };
  }
  return Buffer.from(JSON.stringify(recorded));
}

/** An object that a recording can hold unchanged: names that begin with `$` are the recording's own. */
function isPlain(value: unknown): value is Fields {
  return isJsonObject(value) && !Object.keys(value).some((key) => key.startsWith("$"));
}
