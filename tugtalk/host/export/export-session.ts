/** Exports a session as a text: Markdown for people, JSON for programs. */
import type { SessionSnapshot } from "../../client/host-api.ts";
import type { TranscriptEntry } from "../../client/transcript-models.ts";
import { showControls } from "../../client/views/visible-text.ts";
import type { ReadableSession } from "../api/host-session.ts";
import { markdownEntry, markdownHead } from "./markdown.ts";

export type ExportFormat = "md" | "json";

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  md: "text/markdown; charset=utf-8",
  json: "application/json",
};

/**
 * The version of the JSON: `{version, session, entries}`, a `SessionInfo` and the `TranscriptEntry`s, oldest
 * first.
 */
const VERSION = 1;

const PAGE_ENTRIES = 50;

/** The text in pieces of one entry, so that a long session takes little memory. */
export async function* exportPieces(
  source: ReadableSession,
  format: ExportFormat,
): AsyncGenerator<string> {
  const entries = exportedEntries(source, await source.snapshot());
  if (format === "json") {
    yield* jsonPieces(source, entries);
    return;
  }
  yield showControls(markdownHead(source.info()));
  for await (const entry of entries) yield showControls(`\n${markdownEntry(entry)}`);
}

async function* jsonPieces(
  source: ReadableSession,
  entries: AsyncIterable<unknown>,
): AsyncGenerator<string> {
  yield `{"version":${VERSION},"session":${jsonText(source.info())},"entries":[`;
  let separator = "\n";
  for await (const entry of entries) {
    yield separator + jsonText(entry);
    separator = ",\n";
  }
  yield "\n]}\n";
}

/**
 * All entries of a transcript in order: first those that have left the memory, at last those of `snapshot`.
 * Pages lead back only, so each is read twice and none is kept.
 */
async function* exportedEntries(
  source: ReadableSession,
  { state, before }: SessionSnapshot,
): AsyncGenerator<TranscriptEntry> {
  const cursors: string[] = [];
  for (let cursor = before; cursor !== undefined; ) {
    cursors.push(cursor);
    cursor = (await source.turns(cursor, PAGE_ENTRIES)).before;
  }
  for (const cursor of cursors.reverse()) yield* (await source.turns(cursor, PAGE_ENTRIES)).entries;
  yield* state.entries;
  yield* state.openEntries;
}

/** JSON that a terminal can print. JSON itself escapes only the control characters below 32. */
export function jsonText(value: unknown): string {
  return (JSON.stringify(value) ?? "null").replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}
