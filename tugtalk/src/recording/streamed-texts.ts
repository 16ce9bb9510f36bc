/** Collects streamed texts until they end: only the whole text shows where a secret is in it. */
import { BoundedMap } from "../base/bounded-map.ts";
import { MAX_READABLE } from "./masking/mask-text.ts";

/** How many texts are collected at once. Claude streams one for each subagent. */
const MAX_TEXTS = 256;

/** A text that has ended: all of it, or at least its first `MAX_READABLE` characters. */
export type EndedText = { readonly number: number; readonly text: string };

type StreamedText = { readonly number: number; readonly deltas: string[]; chars: number };

export class StreamedTexts {
  readonly #texts = new BoundedMap<string, StreamedText>(MAX_TEXTS);
  #count = 0;

  /** Adds the next delta of the text with this key. Returns the number of the text. */
  add(key: string, delta: string): number {
    const text = this.#texts.get(key) ?? this.#open(key);
    if (text.chars < MAX_READABLE) text.deltas.push(delta);
    text.chars += delta.length;
    return text.number;
  }

  /** Ends the texts whose keys begin with this prefix. */
  end(prefix: string): readonly EndedText[] {
    const ended = [...this.#texts].filter(([key]) => key.startsWith(prefix));
    for (const [key] of ended) this.#texts.delete(key);
    return ended.map(([, { number, deltas }]) => ({ number, text: deltas.join("") }));
  }

  #open(key: string): StreamedText {
    this.#count += 1;
    const text = { number: this.#count, deltas: [], chars: 0 };
    this.#texts.set(key, text);
    return text;
  }
}
