/**
 * Masks texts that come in pieces: a secret may be cut anywhere. A piece is decided once enough of
 * what follows it is known; then its mask hides what the mask of the whole text would hide there.
 */
import { MAX_BEGINNING, type Masks } from "./masks.ts";
import type { Range, SecretRange } from "./secret-shapes.ts";

/** A piece, whose masked text is not known yet, or is. */
export type MaskedPiece = { readonly text: string; masked: string | undefined };

/** Within so many words a secret is known as one, however long it goes on: the last may become one. */
const UNDECIDED_WORDS = 4;

/** Of a text without spaces, or a private key, no more waits, in characters; */
const MAX_UNDECIDED = 8 * 1024;
/** but its end does, since a secret may begin there. */
const LONG_END = 256;

/** How much of what is decided is looked at with what follows, in characters: a long word is cut here. */
const MAX_CONTEXT = 1024;
/** Of a secret that has not ended there is more, with its label; */
const MAX_SECRET = 8 * 1024;
/** of one that is longer still, as much before and behind its start as shows that it is one. */
const MAX_OPENING = 128;

/** How far pieces are decided: as far as is sure; to the end of the text; or to where it stands. */
type Extent = "sure" | "ended" | "standing";

type Stream = {
  /** What stands before the pieces: a word may be cut between two of them. */
  context: string;
  readonly pieces: MaskedPiece[];
  /** What is decided of the text, and its mask. */
  raw: string;
  masked: string;
  /** The length of the pieces. */
  undecided: number;
};

export class StreamedMasks {
  readonly #masks: Masks;
  readonly #streams = new Map<string, Stream>();

  constructor(masks: Masks) {
    this.#masks = masks;
  }

  /** Takes the next piece of the text that has this key. */
  take(key: string, text: string): MaskedPiece {
    const piece = { text, masked: undefined };
    const stream = this.#streams.get(key) ?? newStream();
    this.#streams.set(key, stream);
    stream.pieces.push(piece);
    stream.undecided += text.length;
    // Within a word nothing more is decided.
    if (/\s/.test(text) || stream.undecided > MAX_UNDECIDED) this.#decide(stream, "sure");
    return piece;
  }

  /** The texts whose keys begin so have ended. */
  end(prefix: string): void {
    for (const [key, stream] of this.#streams) {
      if (!key.startsWith(prefix)) continue;
      this.#decide(stream, "ended");
      this.#streams.delete(key);
    }
  }

  /** Decides all pieces, while the texts go on: what may still become a secret is hidden. */
  decideAll(): void {
    for (const stream of this.#streams.values()) this.#decide(stream, "standing");
  }

  #decide(stream: Stream, extent: Extent): void {
    const { pieces, context } = stream;
    if (pieces.length === 0) return;
    const text = context + pieces.map((piece) => piece.text).join("");
    const ranges = this.#masks.rangesIn(text);
    const sure = sureLength(text, ranges);
    const isLong = stream.undecided > MAX_UNDECIDED;
    const enough = isLong ? Math.max(sure, text.length - LONG_END) : sure;
    const decided = extent === "sure" ? enough : text.length;
    const open = { start: sure, end: text.length };
    const masked =
      extent === "ended"
        ? this.#masks.maskText(text)
        : // No more than that: what may still grow must not be given a mask of its own.
          this.#masks.maskText(text.slice(0, sure)) +
          blanked(text, extent === "standing" ? [open] : ranges).slice(sure);
    let at = context.length;
    for (let [piece] = pieces; piece !== undefined; [piece] = pieces) {
      const end = at + piece.text.length;
      if (end > decided) break;
      piece.masked = masked.slice(at, end);
      pieces.shift();
      at = end;
    }
    if (stream.raw.length <= MAX_BEGINNING) {
      stream.raw += text.slice(context.length, at);
      stream.masked += masked.slice(context.length, at);
    }
    if (extent !== "ended" && at > sure) this.#masks.remember(stream.raw, stream.masked);
    stream.undecided = text.length - at;
    stream.context = contextAt(text, at, ranges);
  }
}

function newStream(): Stream {
  return { context: "", pieces: [], raw: "", masked: "", undecided: 0 };
}

/** How much of a text stays as it is, whatever follows. */
function sureLength(text: string, ranges: readonly Range[]): number {
  const safe = lastWords(text);
  const straddling = ranges.find(({ end }) => end > safe);
  return Math.min(safe, straddling?.start ?? safe);
}

/**
 * What stands before a place of a text, as far as it says what follows there. Where the place is
 * within a secret that begins with the label of it: nothing else tells that the rest is secret.
 */
function contextAt(text: string, at: number, ranges: readonly SecretRange[]): string {
  const words = text.slice(lastWords(text.slice(0, at)), at).slice(-MAX_CONTEXT);
  const open = ranges.find(({ label, end }) => label < at - words.length && end >= at);
  if (open === undefined) return words;
  const { label, start } = open;
  if (at - label <= MAX_SECRET) return text.slice(label, at);
  return text.slice(Math.max(label, start - MAX_OPENING), start + MAX_OPENING) + words;
}

/** Where the last words of a text begin. */
function lastWords(text: string): number {
  const words = [...text.matchAll(/\S+/g)];
  return words.at(-UNDECIDED_WORDS)?.index ?? 0;
}

/** What may still grow has no number yet. */
function blanked(text: string, ranges: readonly Range[]): string {
  let [result, done] = ["", 0];
  for (const { start, end } of ranges) {
    if (end <= done) continue;
    const from = Math.max(start, done);
    result += text.slice(done, from) + "*".repeat(end - from);
    done = end;
  }
  return result + text.slice(done);
}
