/**
 * The entries that a person has gone back over: Claude has forgotten them, or their files were put back.
 * Pure.
 */
import type { ReducedSession } from "./reduced-session.ts";
import type { Notice, TranscriptEntry } from "./transcript-models.ts";

type Rewind = Extract<Notice, { kind: "rewind" }>;
type Entries = readonly TranscriptEntry[];

/**
 * The slash commands whose message ids Claude does not keep, so that it cannot go back to them. `local`: the
 * commands that it runs without the model. Measured; an unknown version may keep all.
 */
export function lostCommands({
  metadata,
  capabilities,
}: Pick<ReducedSession, "metadata" | "capabilities">): "all" | "local" | "none" {
  const version = metadata?.claude_code_version ?? capabilities?.claude_version;
  // The page loads this before all else, and `compareVersions` would show in that.
  const isAfter = (other: string) =>
    (version?.localeCompare(other, "en", { numeric: true }) ?? 1) > 0;
  if (isAfter("2.1.197")) return "none";
  return isAfter("2.1.38") ? "local" : "all";
}

/** Where a message of a person is, searched from the end; -1 if it is not there. */
export function indexOfMessage(entries: Entries, messageId: string): number {
  return entries.findLastIndex(({ items }) =>
    items.some((item) => item.kind === "user" && item.messageId === messageId),
  );
}

/** Whether Claude has run a command without the model. */
export function hasCommandOutput(entry: TranscriptEntry | undefined): boolean | undefined {
  return entry?.items.some((item) => item.kind === "user" && item.source === "command_output");
}

/**
 * Whether an entry begins with this message. An entry does not begin with a message that was steered into it.
 */
export function beginsWith({ items }: TranscriptEntry, messageId: string): boolean {
  const first = items.find((item) => item.kind === "user" && item.source === "host");
  return first?.kind === "user" && first.messageId === messageId;
}

/** Marks the entries from the message on. Marks all entries if the message is in an older page. */
export function markRewound(entries: Entries, rewind: Rewind): Entries {
  const target = indexOfMessage(entries, rewind.messageId);
  const entry = entries[target];
  const isPart = entry !== undefined && !beginsWith(entry, rewind.messageId);
  const first = isPart ? target + 1 : Math.max(target, 0);
  const marks = {
    ...(rewind.isForgotten && { isForgotten: true as const }),
    ...(rewind.files !== undefined && { isPutBack: true as const }),
  };
  return entries.map((one, index) => (index < first ? one : { ...one, ...marks }));
}

/** Marks older entries, which are put in front of a state, by the rewinds in that state. */
export function markOlder(older: Entries, { entries, openEntries }: ReducedSession): Entries {
  const known = [...entries, ...openEntries];
  return known
    .flatMap(({ items }) => items)
    .flatMap((item) => (item.kind === "notice" && item.notice.kind === "rewind" ? item.notice : []))
    .filter(({ messageId }) => indexOfMessage(known, messageId) === -1)
    .reduce(markRewound, older);
}
