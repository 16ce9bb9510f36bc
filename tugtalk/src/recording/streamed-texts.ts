/** Collects streamed texts until they end: only the whole text shows where a secret is in it. */
import { BoundedMap } from "../base/bounded-map.ts";
import { MAX_READABLE } from "./masking/mask-text.ts";
import type { RecordedText } from "./recorded-texts.ts";

/** How many texts are collected at once. Claude streams one for each subagent. */
const MAX_TEXTS = 256;

type StreamedText = { readonly number: number; readonly deltas: string[]; chars: number };

/** Collects only the first `MAX_READABLE` characters of a longer text, and a little more. */
export class StreamedTexts {
  readonly #texts = new BoundedMap<string, StreamedText>(MAX_TEXTS);
  readonly #ended: RecordedText["msg"][] = [];
  #count = 0;

  /** Adds the next delta of the text with this key. Returns the number of the text. */
  add(key: string, delta: string): number {
    const text = this.#texts.get(key) ?? this.#open(key);
    if (text.chars < MAX_READABLE) text.deltas.push(delta);
    text.chars += delta.length;
    return text.number;
  }

  /** Ends the texts whose keys begin with this prefix. */
  end(prefix: string): void {
    for (const [key, { number, deltas }] of this.#texts) {
      if (!key.startsWith(prefix)) continue;
      this.#texts.delete(key);
      this.#ended.push({ $text: number, text: deltas.join("") });
    }
  }

  /** The texts that have ended since the last call. */
  takeEnded(): readonly RecordedText["msg"][] {
    return this.#ended.splice(0);
  }

  #open(key: string): StreamedText {
    this.#count += 1;
    const text = { number: this.#count, deltas: [], chars: 0 };
    this.#texts.set(key, text);
    return text;
  }
}
