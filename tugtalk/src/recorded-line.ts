/** One line of a pipe to the form in which a recording keeps it, without its secrets, and back. */
import { isOverlong, type Line } from "./lines.ts";
import type { Masks } from "./masks.ts";
import { isDeeperThan } from "./nesting.ts";
import type { RecordedLine } from "./recording.ts";
import { StreamedMasks } from "./streamed-masks.ts";
import { endsIn, pieceIn, type Speaker, type TextPiece } from "./text-pieces.ts";

type Fields = Readonly<Record<string, unknown>>;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** JSON that is nested deeper is kept as text: it can be read deeper than it can be written. */
const MAX_DEPTH = 500;

/** The JSON text of a line's recorded form, and whether something is masked in it, once it is known. */
export type LineText = {
  readonly isReady: () => boolean;
  readonly isMasked: () => boolean;
  readonly text: () => string;
};

/** What one side of a bridge says, on its way into a recording. */
export class LineMasks {
  readonly #masks: Masks;
  readonly #speaker: Speaker | undefined;
  readonly #streams: StreamedMasks;

  /** `speaker`: whose texts stream here, if any do. */
  constructor(masks: Masks, speaker?: Speaker) {
    this.#masks = masks;
    this.#speaker = speaker;
    this.#streams = new StreamedMasks(masks);
  }

  take(line: Line): LineText {
    if (isOverlong(line)) {
      const { overlongBytes, edges } = line;
      const recorded = { $overlong_bytes: overlongBytes, edges: this.#masks.maskUnread(edges) };
      return known(JSON.stringify(recorded), recorded.edges !== edges);
    }
    const text = textOf(line);
    if (text !== undefined) return this.takeText(text);
    const masked = Buffer.from(this.#masks.maskBytes(line));
    return known(JSON.stringify({ $base64: masked.toString("base64") }), !masked.equals(line));
  }

  takeText(text: string): LineText {
    const value = valueIn(text);
    if (value === undefined) {
      const masked = this.#masks.maskUnread(text);
      return known(JSON.stringify(masked), masked !== text);
    }
    const piece = this.#speaker && isPlain(value) ? pieceIn(this.#speaker, value) : undefined;
    if (piece !== undefined) return this.#takePiece(value as Fields, piece);
    const ended = this.#speaker && isPlain(value) ? endsIn(this.#speaker, value) : undefined;
    if (ended !== undefined) this.#streams.end(ended);
    const masked = this.#masks.maskValue(value);
    const line = masked === value ? text : JSON.stringify(masked);
    return known(isPlain(value) ? line : JSON.stringify(line), masked !== value);
  }

  /** Decides what is undecided; the texts may go on. */
  decideAll(): void {
    this.#streams.decideAll();
  }

  /** Nothing more is said: what is undecided is decided. */
  end(): void {
    this.#streams.end("");
  }

  #takePiece(value: Fields, { key, text, path }: TextPiece): LineText {
    const bare = withText(value, path, "");
    const rest = this.#masks.maskValue(bare);
    const piece = this.#streams.take(key, text);
    return {
      isReady: () => piece.masked !== undefined,
      isMasked: () => rest !== bare || (piece.masked ?? text) !== text,
      text: () => JSON.stringify(withText(rest, path, piece.masked ?? "")),
    };
  }
}

function known(text: string, isMasked: boolean): LineText {
  return { isReady: () => true, isMasked: () => isMasked, text: () => text };
}

function withText(value: Fields, [name, ...path]: readonly string[], text: string): Fields {
  if (name === undefined) return value;
  const inner = path.length === 0 ? text : withText(value[name] as Fields, path, text);
  return { ...value, [name]: inner };
}

/** The line that was recorded, as the bridge met it but for its secrets. */
export function toLine(recorded: RecordedLine): Line {
  if (typeof recorded === "string") return Buffer.from(recorded);
  const { $base64, $overlong_bytes: overlongBytes, edges }: Record<string, unknown> = recorded;
  if (typeof $base64 === "string") return Buffer.from($base64, "base64");
  if (typeof overlongBytes === "number") return { overlongBytes, edges: String(edges) };
  return Buffer.from(JSON.stringify(recorded));
}

function textOf(line: Uint8Array): string | undefined {
  try {
    return decoder.decode(line);
  } catch {
    return undefined; // No UTF-8.
  }
}

/** What a line is as JSON, unless it is none, or too deep. */
function valueIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeperThan(MAX_DEPTH, value) ? undefined : value;
  } catch {
    return undefined; // Kept as the text that it is.
  }
}

/** An object that a recording can hold as one: names that begin so are the recording's own. */
function isPlain(value: unknown): value is Fields {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject && !Object.keys(value).some((key) => key.startsWith("$"));
}
