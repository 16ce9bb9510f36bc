/** A session as a text to keep: Markdown for people, JSON for programs. */
import { showControls } from "../../client/views/visible-text.ts";
import type { ReadableSession } from "../api/host-session.ts";
import { exportedEntries } from "./exported-entries.ts";
import { jsonText } from "./json-text.ts";
import { markdownEntry, markdownHead } from "./markdown.ts";

export type ExportFormat = "md" | "json";

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  md: "text/markdown; charset=utf-8",
  json: "application/json",
};

/** Of the JSON: `{version, session, entries}`, a `SessionInfo` and the `TranscriptEntry`s, oldest first. */
const VERSION = 1;

/** The text in pieces of one entry, so that a long session needs no memory. */
export function* exportPieces(source: ReadableSession, format: ExportFormat): Generator<string> {
  const entries = exportedEntries(source, source.snapshot());
  if (format === "json") {
    yield* jsonPieces(source, entries);
    return;
  }
  yield showControls(markdownHead(source.info()));
  for (const entry of entries) yield showControls(`\n${markdownEntry(entry)}`);
}

function* jsonPieces(source: ReadableSession, entries: Iterable<unknown>): Generator<string> {
  yield `{"version":${VERSION},"session":${jsonText(source.info())},"entries":[`;
  let separator = "\n";
  for (const entry of entries) {
    yield separator + jsonText(entry);
    separator = ",\n";
  }
  yield "\n]}\n";
}
