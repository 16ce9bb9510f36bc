/** The places of a person's search in a transcript. Pure, but for the results that are kept of entries that do not change. */
import { type AgentItems, agentItems, shownItems } from "../../client/agent-items.ts";
import type { ToolItem, TranscriptEntry, TranscriptItem } from "../../client/transcript-models.ts";
import { ownSteps } from "./agent-steps.ts";

export type Hit = {
  readonly entryKey: string;
  /** The item, after the calls of the agents that it is in. */
  readonly path: readonly string[];
  /** The occurrence in this item, from 0 on. */
  readonly nth: number;
};

/** Matches without regard to case, and to how words are apart. */
export function patternOf(query: string): RegExp {
  const words = query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "\\s+");
  return new RegExp(words, "giu");
}

/** The keys that lead to an item of an entry: the calls of the agents that it is in, and its own. */
export function pathTo(entry: TranscriptEntry, key: string): readonly string[] | undefined {
  return pathIn({ items: shownItems(entry), agents: entry.agents }, key);
}

function pathIn({ items, agents }: AgentItems, key: string): readonly string[] | undefined {
  for (const item of items) {
    if (item.key === key) return [key];
    const agent = item.kind === "tool" ? agentItems(agents, item.toolUseId) : undefined;
    const path = agent && pathIn(agent, key);
    if (path !== undefined) return [item.key, ...path];
  }
  return undefined;
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
      if (item.kind !== "tool" || agent === undefined) return own;
      return [...own, ...this.#inItems(entryKey, ownSteps(item, agent), path)];
    });
  }

  /** A call counts once: its tool decides which of its texts the card shows. */
  #countIn(item: TranscriptItem): number {
    if (item.kind === "tool") return textsOf(item).some((text) => this.#count(text) > 0) ? 1 : 0;
    return "text" in item ? this.#count(item.text) : 0;
  }

  /** Markdown may have marks inside of a word. */
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
