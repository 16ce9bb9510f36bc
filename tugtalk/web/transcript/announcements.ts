/** What a screen reader is told of a transcript: what is finished, and not each delta. */
import type { BlockItem, TranscriptEntry, Turn } from "../../src/messages/transcript-models.ts";
import { outcomeOf } from "./turn-end.ts";

type Open = readonly TranscriptEntry[];

/** Follows the open entries of one session. */
export class Announcements {
  /** How much of each block has been said. */
  readonly #said = new Map<string, number>();
  #running: ReadonlySet<string>;

  /** What is there at first is not said. */
  constructor(open: Open) {
    this.#running = runningOf(open);
    this.#takeTexts(open);
  }

  /** What has been finished since the last call: paragraphs, and turns. */
  next(open: Open): readonly string[] {
    const texts = this.#takeTexts(open);
    const ended = turnsOf(open).filter(
      ({ key, status }) => status !== "running" && this.#running.has(key),
    );
    this.#running = runningOf(open);
    return [...texts, ...ended.map((turn) => outcomeOf(turn) ?? "Claude has finished")];
  }

  #takeTexts(open: Open): string[] {
    return open
      .flatMap(({ items }) => items)
      .flatMap((item) => (item.kind === "text" ? this.#take(item) : []));
  }

  #take({ key, text, status }: BlockItem): string[] {
    const said = this.#said.get(key) ?? 0;
    const end = status === "streaming" ? text.lastIndexOf("\n\n") : text.length;
    if (end <= said) return [];
    this.#said.set(key, end);
    return [text.slice(said, end).trim()];
  }
}

function turnsOf(open: Open): readonly Turn[] {
  return open.flatMap((entry) => (entry.kind === "turn" ? [entry] : []));
}

function runningOf(open: Open): ReadonlySet<string> {
  const running = turnsOf(open).filter(({ status }) => status === "running");
  return new Set(running.map(({ key }) => key));
}
