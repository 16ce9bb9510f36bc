/** The announcements of a transcript to screen readers: finished parts, and not each delta. */
import type { BlockItem, TranscriptEntry, Turn } from "../../client/transcript-models.ts";
import { outcomeOf } from "./turn-end.ts";

type Entries = readonly TranscriptEntry[];

/** Follows the entries of one session. Between two looks a whole turn may have begun and ended. */
export class Announcements {
  /** How much of each block has been said. */
  readonly #announced = new Map<string, number>();
  /** The turns whose end has been said. */
  readonly #ended = new Set<string>();
  /** The oldest entry that may have changed since the last look. */
  #from: string | undefined;
  #hasLooked = false;

  /** The parts finished since the last call: paragraphs, and turns. Parts that are there at first are not said. */
  next(entries: Entries, open: Entries): readonly string[] {
    const looked = this.#hasLooked ? entriesFrom(this.#from, entries, open) : latest(entries, open);
    this.#from = (open[0] ?? entries.at(-1))?.key;
    const texts = looked.flatMap(({ items }) => items).flatMap((item) => this.#takeText(item));
    const ends = looked.flatMap((entry) => this.#takeEnd(entry));
    if (this.#hasLooked) return [...texts, ...ends];
    this.#hasLooked = true;
    return [];
  }

  #takeText(item: TranscriptEntry["items"][number]): readonly string[] {
    return item.kind === "text" ? this.#take(item) : [];
  }

  #take({ key, text, status }: BlockItem): readonly string[] {
    const announced = this.#announced.get(key) ?? 0;
    const end = status === "streaming" ? text.lastIndexOf("\n\n") : text.length;
    if (end <= announced) return [];
    this.#announced.set(key, end);
    return [text.slice(announced, end).trim()];
  }

  #takeEnd(entry: TranscriptEntry): readonly string[] {
    if (!isEnded(entry) || this.#ended.has(entry.key)) return [];
    this.#ended.add(entry.key);
    return [outcomeOf(entry) ?? "Claude has finished"];
  }
}

function isEnded(entry: TranscriptEntry): entry is Turn {
  return entry.kind === "turn" && entry.status !== "running";
}

function latest(entries: Entries, open: Entries): Entries {
  return [...entries.slice(-1), ...open];
}

/**
 * The entries from `first` on: all without it. If it is gone, only the open entries are certain to be new.
 */
function entriesFrom(first: string | undefined, entries: Entries, open: Entries): Entries {
  if (first === undefined) return [...entries, ...open];
  const at = entries.findLastIndex(({ key }) => key === first);
  return at === -1 ? open : [...entries.slice(at), ...open];
}
