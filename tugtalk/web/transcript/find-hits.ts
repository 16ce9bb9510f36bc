/** Where a transcript has what a person looks for. Pure, but for what is kept of entries that do not change. */
import { type AgentItems, agentItems } from "../../client/agent-items.ts";
import type { ToolItem, TranscriptEntry, TranscriptItem } from "../../client/transcript-models.ts";

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
    const hits = this.#inItems(entry.key, entry, []);
    this.#known.set(entry, hits);
    return hits;
  }

  #inItems(
    entryKey: string,
    { items, agents }: AgentItems,
    trail: readonly string[],
  ): readonly Hit[] {
    return items.flatMap((item) => {
      const path = [...trail, item.key];
      const count = this.#countIn(item);
      const own = Array.from({ length: count }, (_, nth) => ({ entryKey, path, nth }));
      const agent = item.kind === "tool" ? agentItems(agents, item.toolUseId) : undefined;
      return agent === undefined ? own : [...own, ...this.#inItems(entryKey, agent, path)];
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

function textsOf({ name = "", input = {}, result }: ToolItem): readonly string[] {
  return [name, ...stringsIn(input), ...(result === undefined ? [] : [result.output])];
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
