/**
 * Masks texts that come in pieces: a secret may be cut anywhere. A piece is decided once enough of
 * what follows it is known; then its mask is that of the same place in the whole text.
 */
import type { Masks } from "./masks.ts";

/** A piece, whose masked text is not known yet, or is. */
export type MaskedPiece = { readonly text: string; masked: string | undefined };

/** No shape of a secret has more words; the last ones of a text may still become one. */
const UNDECIDED_WORDS = 4;

/** A text without spaces, or a private key, is decided as it stands when it is longer, in characters. */
const MAX_UNDECIDED = 8 * 1024;
/** How much of what is decided is looked at with what follows, in characters: a long word is cut here. */
const MAX_CONTEXT = 1024;

type Stream = {
  /** The last words before the pieces: a word may be cut between two of them. */
  context: string;
  readonly pieces: MaskedPiece[];
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
    const stream = this.#streams.get(key) ?? { context: "", pieces: [], undecided: 0 };
    this.#streams.set(key, stream);
    stream.pieces.push(piece);
    stream.undecided += text.length;
    // Within a word nothing more is decided.
    if (/\s/.test(text) || stream.undecided > MAX_UNDECIDED) this.#decide(stream, false);
    return piece;
  }

  /** The texts whose keys begin so have ended. */
  end(prefix: string): void {
    for (const [key, stream] of this.#streams) {
      if (!key.startsWith(prefix)) continue;
      this.#decide(stream, true);
      this.#streams.delete(key);
    }
  }

  #decide(stream: Stream, isWhole: boolean): void {
    const { pieces, context } = stream;
    const text = context + pieces.map((piece) => piece.text).join("");
    const decided =
      isWhole || stream.undecided > MAX_UNDECIDED ? text.length : this.#decidedIn(text);
    // No more than that: what may still grow must not be given a mask of its own.
    const masked = this.#masks.maskText(text.slice(0, decided));
    let at = context.length;
    for (let [piece] = pieces; piece !== undefined; [piece] = pieces) {
      const end = at + piece.text.length;
      if (end > decided) break;
      piece.masked = masked.slice(at, end);
      pieces.shift();
      at = end;
    }
    stream.undecided = text.length - at;
    stream.context = text.slice(lastWords(text.slice(0, at)), at).slice(-MAX_CONTEXT);
  }

  /** How much of a text stays as it is, whatever follows. */
  #decidedIn(text: string): number {
    const safe = lastWords(text);
    const straddling = this.#masks.rangesIn(text).find(({ end }) => end > safe);
    return Math.min(safe, straddling?.start ?? safe);
  }
}

/** Where the last words of a text begin. */
function lastWords(text: string): number {
  const words = [...text.matchAll(/\S+/g)];
  return words.at(-UNDECIDED_WORDS)?.index ?? 0;
}
