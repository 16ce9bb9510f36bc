/** What a person has written in a session, to be taken up again. Pure. */
import type { TranscriptEntry } from "../../src/messages/transcript-models.ts";

/** Where somebody is in the history; what was typed before is the last text. */
export type HistoryPlace = { readonly texts: readonly string[]; readonly at: number };

/** Own messages and what was sent or cleared away here, each once, oldest first. */
export function historyOf(
  entries: readonly TranscriptEntry[],
  recent: readonly string[],
): readonly string[] {
  const sent = entries.flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === "user" && item.source === "host" ? item.text : [])),
  );
  const texts = [...sent, ...recent].filter((text) => text !== "");
  return texts.filter((text, index) => texts.lastIndexOf(text) === index);
}

export function openHistory(history: readonly string[], typed: string): HistoryPlace {
  return { texts: [...history, typed], at: history.length };
}

/** Undefined where there is none further. */
export function moveBy(place: HistoryPlace, step: 1 | -1): HistoryPlace | undefined {
  const at = place.at + step;
  return at in place.texts ? { ...place, at } : undefined;
}
