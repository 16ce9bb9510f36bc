/** Lines of JSON, as far as every protocol of lines goes: one of a peer is parsed, one for a peer is written. */
import { parseJson } from "./json.ts";
import { CHARS_IN_DEPTH, isDeeperThan, MAX_DEPTH } from "./json-depth.ts";
import { isOverlong, type Line } from "./lines.ts";

/** The value of a line and its length in characters, or why it has none. */
export type JsonLine =
  | { readonly value: unknown; readonly chars: number }
  | { readonly problem: "too_long"; readonly bytes: number; readonly head: string }
  | { readonly problem: "not_utf8" | "not_json" };

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Never throws. The engine's own message is left out: it quotes the line, which may hold a secret. */
export function parseJsonLine(line: Line): JsonLine {
  if (isOverlong(line)) return { problem: "too_long", bytes: line.overlongBytes, head: line.head };
  const text = textOf(line);
  if (text === undefined) return { problem: "not_utf8" };
  const value = parseJson(text);
  return value === undefined ? { problem: "not_json" } : { value, chars: text.length };
}

/** Why a value that was parsed is nested too deep; undefined if it is not. */
export function depthProblem(value: unknown, chars: number): string | undefined {
  return chars > CHARS_IN_DEPTH && isDeeperThan(MAX_DEPTH, value)
    ? `nested deeper than ${MAX_DEPTH} levels`
    : undefined;
}

/** Why a line was discarded that is too long. */
export function overlongText(bytes: number): string {
  return `a line of ${bytes} bytes was discarded; --max-line-bytes sets the limit`;
}

function textOf(line: Uint8Array): string | undefined {
  try {
    return decoder.decode(line);
  } catch {
    return undefined; // Not UTF-8.
  }
}

/** One line with its LF. Two separators that some readers take for line ends are escaped. Throws where it is no JSON. */
export function jsonLine(value: object): string {
  const text = JSON.stringify(value);
  const escaped = /[\u2028\u2029]/.test(text)
    ? text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")
    : text;
  return `${escaped}\n`;
}

/** The parts before, between and after the strings in which `render` puts the given text. */
export function partsAround(render: (gap: string) => string): string[] {
  // Nobody can guess it, so no message contains it.
  const gap = crypto.randomUUID();
  return render(gap).split(`"${gap}"`);
}
