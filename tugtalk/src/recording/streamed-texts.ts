/**
 * Texts that stream in pieces, kept until they end: only the whole shows where a secret stands. The
 * lines of the pieces are recorded at once, with stars in the place of the text.
 */
import { MAX_READABLE } from "./masking/mask-text.ts";

/** So many texts are kept at once: Claude writes one for each subagent. */
const MAX_TEXTS = 256;

/** A text that has ended: all of it, or as much as is kept. */
export type EndedText = { readonly number: number; readonly text: string };

type Streaming = { readonly number: number; readonly pieces: string[]; chars: number };

export class StreamedTexts {
  readonly #streaming = new Map<string, Streaming>();
  #count = 0;

  /** Adds the next piece of the text with this key; gives the number of the text. */
  add(key: string, piece: string): number {
    const text = this.#streaming.get(key) ?? this.#begin(key);
    if (text.chars < MAX_READABLE) text.pieces.push(piece);
    text.chars += piece.length;
    return text.number;
  }

  /** Ends the texts whose keys begin so. */
  end(prefix: string): readonly EndedText[] {
    const keys = [...this.#streaming.keys()];
    return keys.filter((key) => key.startsWith(prefix)).map((key) => this.#take(key));
  }

  /** Ends the oldest text if there are too many. */
  endSurplus(): readonly EndedText[] {
    const [oldest] = this.#streaming.keys();
    return oldest === undefined || this.#streaming.size <= MAX_TEXTS ? [] : [this.#take(oldest)];
  }

  #begin(key: string): Streaming {
    this.#count += 1;
    const text = { number: this.#count, pieces: [], chars: 0 };
    this.#streaming.set(key, text);
    return text;
  }

  #take(key: string): EndedText {
    const { number = 0, pieces = [] } = this.#streaming.get(key) ?? {};
    this.#streaming.delete(key);
    return { number, text: pieces.join("") };
  }
}
