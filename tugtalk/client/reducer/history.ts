/** The conversation before the session of a host. */
import type { TranscriptEntry } from "../../src/messages/transcript-models.ts";
import { isFields } from "../claude-value.ts";
import { prependEntries } from "../entry-pages.ts";
import { handler } from "./handler.ts";
import { objects, optional, present, text } from "./message-fields.ts";

/** The host's entries are trusted, as its snapshots are. */
const historyAdded = handler(
  "history-added",
  { entries: objects, before: optional(text) },
  (state, { entries, before }) =>
    prependEntries(state, { entries: entries.filter(isEntry), ...present({ before }) }),
);

function isEntry(value: unknown): value is TranscriptEntry {
  return (
    isFields(value) &&
    typeof value["key"] === "string" &&
    Array.isArray(value["items"]) &&
    isFields(value["agents"])
  );
}

export const HISTORY_HANDLERS = [historyAdded] as const;
