/** The texts of a transcript that can be searched: messages, answers and tool calls. Pure. */
import type { SearchHit } from "../../client/host-api.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type { ToolItem, TranscriptEntry, TranscriptItem } from "../../client/transcript-models.ts";

/** One text of an item, complete. */
type SessionText = Pick<SearchHit, "entry" | "item" | "kind"> & { readonly text: string };

/** `at` in milliseconds since 1970. */
export type TimedText = SessionText & { readonly at: number };

/** The most characters of a text that are searched. */
const MAX_CHARS: Readonly<Record<SessionText["kind"], number>> = {
  user: 16_384,
  text: 16_384,
  tool: 2_048,
  result: 4_096,
};

/**
 * All texts of these entries. A text without a time of its own has the time of the entry before, or
 * `since`.
 */
export function timedTexts(
  entries: readonly TranscriptEntry[],
  since: number,
): readonly TimedText[] {
  let at = since;
  return entries.flatMap((entry) => {
    if (entry.kind === "turn") at = entry.sentAt ?? at;
    const ofEntry = { at };
    return textsAfter(undefined, entry).map((text) => ({ ...text, ...ofEntry }));
  });
}

/** The texts that have become complete, or have changed, between two states. */
export function newTexts(before: ReducedSession, after: ReducedSession): readonly SessionText[] {
  if (before.entries === after.entries && before.openEntries === after.openEntries) return [];
  // If a piece of text is the only change, the many finished entries need no look.
  const isOpenAlone = before.entries === after.entries;
  const changed = ({ entries, openEntries }: ReducedSession) =>
    isOpenAlone ? openEntries : [...entries, ...openEntries];
  const known = new Map(changed(before).map((entry) => [entry.key, entry]));
  return changed(after).flatMap((entry) => textsAfter(known.get(entry.key), entry));
}

/** The texts that an entry did not have before. */
function textsAfter(
  before: TranscriptEntry | undefined,
  entry: TranscriptEntry,
): readonly SessionText[] {
  if (before === entry) return [];
  const texts = textsOfList(entry.key, before?.items, entry.items);
  for (const [agent, items] of Object.entries(entry.agents))
    texts.push(...textsOfList(entry.key, before?.agents[agent], items));
  return texts;
}

/** Nearly always only the last items differ. */
function textsOfList(
  entry: string,
  before: readonly TranscriptItem[] | undefined,
  items: readonly TranscriptItem[],
): SessionText[] {
  const texts: SessionText[] = [];
  for (const [index, item] of items.entries()) {
    const old = before?.[index];
    if (old === item) continue;
    const known = old?.key === item.key ? textsOfItem(old) : {};
    for (const [kind, text] of Object.entries(textsOfItem(item)) as [SessionText["kind"], string][])
      if (text.trim() !== "" && text !== known[kind])
        texts.push({ entry, item: item.key, kind, text });
  }
  return texts;
}

type ItemTexts = Partial<Record<SessionText["kind"], string>>;

function textsOfItem(item: TranscriptItem): ItemTexts {
  switch (item.kind) {
    case "user":
      return { user: bounded("user", item.text) };
    case "text":
      return item.status === "streaming" ? {} : { text: bounded("text", item.text) };
    case "tool":
      return textsOfTool(item);
    case "thinking":
    case "notice":
    case "unknown":
      return {};
  }
}

/** The input is absent while the call is streaming, and the result before it is there. */
function textsOfTool({ name = "", input, result }: ToolItem): ItemTexts {
  const call = input && [name, ...stringsIn(input)].join("\n");
  return {
    ...(call !== undefined && { tool: bounded("tool", call) }),
    ...(result !== undefined && { result: bounded("result", result.output) }),
  };
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/**
 * The text up to the limit in a normal form, without half characters and characters that PostgreSQL refuses.
 */
function bounded(kind: SessionText["kind"], text: string): string {
  return text.slice(0, MAX_CHARS[kind]).toWellFormed().normalize("NFC").replaceAll("\0", " ");
}
