/**
 * Lines that repeat. A line of Claude's that differs from the last one only in its text means the same
 * but for the text, so it need not be parsed. The last line, once applied in full, becomes a template when
 * another delta follows; lines that match it are taken as one. Knows nothing about turns or blocks: every other change
 * must `forget` the template.
 */

import type { LineCursor } from "../base/lines.ts";
import type { StreamEventMessage } from "../messages/conversation-lines.ts";
import type { RepeatedMessage } from "../messages/repeated-message.ts";
import type { OutboundDraft } from "../types.ts";
import { buildTemplate, type Template } from "./line-template.ts";

/** The meaning of several lines together. */
export type Repeated = {
  /** The learnt event, with the texts of all these lines as its text. The next `take` changes it. */
  readonly event: StreamEventMessage;
  /** The messages for the host, one for each line. Undefined: these lines have none. */
  readonly answer: RepeatedMessage | undefined;
};

const DELTA = "content_block_delta";

/** The characters after a backslash that each writer of JSON writes in this way only. */
const ESCAPED = '"\\bfnrt';

/** Separators that a line for the host has only in escaped form. */
const ESCAPED_FOR_HOSTS = /[\u2028\u2029]/;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"/y;

export class Repeats {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** The last line, if it is a delta, with the messages that were emitted for it. */
  #last: Parameters<typeof buildTemplate> | undefined;
  #template: Template | undefined;
  /** A chunk with a text that must take the ordinary path: all of it does. */
  #faulty: LineCursor | undefined;

  /** Learns from a line that was applied, and from the messages that were emitted for it. */
  learn(line: string, event: StreamEventMessage, emitted: readonly OutboundDraft[]): void {
    this.#last = event.event.type === DELTA ? [line, event, emitted] : undefined;
    this.#template = undefined;
  }

  /** The next line may mean something else. */
  forget(): void {
    this.#last = undefined;
    this.#template = undefined;
  }

  /** Takes the next lines, as far as they match. Undefined if the next one does not. */
  take(lines: LineCursor): Repeated | undefined {
    const isDone = this.#last === undefined || lines.isAtEnd || lines === this.#faulty;
    const chunk = isDone ? undefined : lines.text;
    const template = chunk === undefined ? undefined : this.#templateFor(chunk, lines.at);
    if (template === undefined || chunk === undefined) return undefined;
    const { literals, end } = matched(template, chunk, lines.at);
    if (literals.length === 0) return undefined;
    const texts = this.#decoded(literals);
    if (texts === undefined) this.#faulty = lines;
    else lines.at = end;
    return texts && repeatedBy(template, texts);
  }

  /** Built when the next line is a delta, too: the deltas of most tool calls come alone. */
  #templateFor(chunk: string, at: number): Template | undefined {
    const isFollowed = chunk.slice(at, chunk.indexOf("\n", at)).includes(DELTA);
    if (this.#last !== undefined && isFollowed) this.#template ??= buildTemplate(...this.#last);
    return this.#template;
  }

  /** Undefined if a text has a control character, or is written otherwise for a host. */
  #decoded(literals: readonly string[]): Texts | undefined {
    const joined = literals.join(SEPARATOR);
    const isAscii = Buffer.byteLength(joined) === joined.length;
    const texts = isAscii ? literals : this.#fromUtf8(joined);
    try {
      return texts && { literals: texts, whole: JSON.parse(`"${texts.join("")}"`) };
    } catch {
      return undefined; // The ordinary path reports the line.
    }
  }

  #fromUtf8(latin1: string): readonly string[] | undefined {
    const joined = this.#decoder.decode(Buffer.from(latin1, "latin1"));
    return ESCAPED_FOR_HOSTS.test(joined) ? undefined : joined.split(SEPARATOR);
  }
}

/** No literal has a line feed, or `JSON.parse` fails. */
const SEPARATOR = '",\n"';

type Texts = { readonly literals: readonly string[]; readonly whole: string };

function repeatedBy(template: Template, { literals, whole }: Texts): Repeated {
  const { event, delta, message, key, field } = template;
  delta[key] = whole;
  return { event, answer: message && { message, field, literals } };
}

/** The literals of the lines that match, as Latin-1, and where the first other line begins. */
function matched(template: Template, chunk: string, start: number) {
  const literals: string[] = [];
  let end = start;
  for (;;) {
    const line = matchedLine(template, chunk, end);
    if (line === undefined) return { literals, end };
    literals.push(line.literal);
    end = line.end;
  }
}

function matchedLine({ constants, gaps }: Template, chunk: string, start: number) {
  let literal = "";
  let at = start;
  for (let index = 0; index < constants.length; index += 1) {
    const constant = constants[index] ?? "";
    if (!chunk.startsWith(constant, at)) return undefined;
    at += constant.length;
    const gap = gaps[index];
    if (gap === undefined) continue;
    const close = gap === "text" ? closingQuote(chunk, at) : uuidEnd(chunk, at);
    if (close === -1) return undefined;
    if (gap === "text") literal = chunk.slice(at, close);
    at = close;
  }
  // An empty text has no message.
  return literal === "" ? undefined : { literal, end: at };
}

/** Where a JSON string ends, or -1. Not by a regular expression, which fails on a very long string. */
function closingQuote(chunk: string, start: number): number {
  let close = chunk.indexOf('"', start);
  let at = start;
  while (close !== -1) {
    const backslash = chunk.slice(at, close).indexOf("\\");
    if (backslash === -1) return close;
    const escaped = at + backslash + 1;
    if (!ESCAPED.includes(chunk.charAt(escaped))) return -1;
    at = escaped + 1;
    if (escaped === close) close = chunk.indexOf('"', at);
  }
  return -1;
}

function uuidEnd(chunk: string, start: number): number {
  UUID.lastIndex = start;
  return UUID.test(chunk) ? UUID.lastIndex - 1 : -1;
}
