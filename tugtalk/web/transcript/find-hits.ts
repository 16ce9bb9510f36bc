/** Where a transcript has what a person looks for. Pure, but for what is kept of entries that do not change. */
import type {
  ToolItem,
  TranscriptEntry,
  TranscriptItem,
} from "../../src/messages/transcript-models.ts";

export type Hit = {
  readonly entryKey: string;
  /** The item, after the calls of the agents that it is in. */
  readonly path: readonly string[];
  /** The occurrence in this item, from 0 on. */
  readonly nth: number;
};

/** Matches without regard to case. */
export function patternOf(query: string): RegExp {
  return new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
}

/** The hits of one query. */
export class Finder {
  readonly #pattern: RegExp;
  readonly #known = new WeakMap<TranscriptEntry, readonly Hit[]>();

  constructor(query: string) {
    this.#pattern = patternOf(query);
  }

  /** In the order in which they are read. */
  hitsIn(entry: TranscriptEntry): readonly Hit[] {
    const known = this.#known.get(entry);
    if (known !== undefined) return known;
    const hits = this.#inItems(entry, entry.items, []);
    this.#known.set(entry, hits);
    return hits;
  }

  #inItems(
    entry: TranscriptEntry,
    items: readonly TranscriptItem[],
    trail: readonly string[],
  ): readonly Hit[] {
    return items.flatMap((item) => {
      const path = [...trail, item.key];
      const count = this.#countIn(item);
      const own = Array.from({ length: count }, (_, nth) => ({ entryKey: entry.key, path, nth }));
      const agent = agentOf(entry, item, trail);
      return agent === undefined ? own : [...own, ...this.#inItems(entry, agent, path)];
    });
  }

  /** A call counts once: what its card shows of it depends on the tool. */
  #countIn(item: TranscriptItem): number {
    if (item.kind === "tool") return textsOf(item).some((text) => this.#count(text) > 0) ? 1 : 0;
    return "text" in item ? this.#count(item.text) : 0;
  }

  /** Markdown may have marks in what is read as one word. */
  #count(text: string): number {
    const counts = [text, text.replace(/[*`]+/g, "")].map((one) => one.match(this.#pattern));
    return Math.max(...counts.map((matches) => matches?.length ?? 0));
  }
}

/** An agent that names itself as its parent is not followed for ever. */
function agentOf(
  { agents }: TranscriptEntry,
  { kind, key }: TranscriptItem,
  trail: readonly string[],
): readonly TranscriptItem[] | undefined {
  return kind === "tool" && !trail.includes(key) && Object.hasOwn(agents, key)
    ? agents[key]
    : undefined;
}

function textsOf({ name = "", input = {}, result }: ToolItem): readonly string[] {
  return [name, ...stringsIn(input), ...(result === undefined ? [] : [result.output])];
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
