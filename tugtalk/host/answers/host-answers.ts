/**
 * Schemas of answers about the surroundings of sessions: files, folders, costs, the search, the host
 * itself.
 */
import { z } from "zod";
import { SessionSummary } from "../../src/messages/history-messages.ts";

const text = z.string();
const integer = z.int();
const number = z.number();

export const FileMatches = z.object({
  files: z.array(
    z.object({
      path: text.describe("From the folder of the session, with `/`."),
      kind: z.enum(["file", "folder"]),
    }),
  ),
});

export const FolderList = z.object({
  path: text,
  parent: text.optional().describe("Absent at the root."),
  in_repository: z.boolean().describe("Whether it is in a Git repository."),
  dirs: z.array(z.object({ name: text, path: text })),
  recent: z.array(text).describe("Folders of the latest sessions."),
});

export const PastConversations = z.object({
  sessions: z.array(SessionSummary),
  next: text.optional().describe("`before` of the next page."),
});

export const DailyCosts = z.object({
  time_zone: text,
  days: z.array(
    z.object({
      day: text.describe("As `2026-11-26`."),
      cost_usd: number,
      sessions: z.array(
        z.object({
          id: text.optional().describe("Absent: all that are deleted."),
          cost_usd: number,
        }),
      ),
    }),
  ),
});

const SearchHit = z.object({
  session: text,
  title: text.describe("That of the session."),
  entry: text.describe("The key of the entry of the transcript."),
  item: text.describe("The key of the item in it."),
  kind: z.enum(["user", "text", "tool", "result"]),
  at: integer,
  snippet: text,
  marks: z
    .array(z.object({ start: integer, end: integer }))
    .describe("What was found in the snippet, in UTF-16 units."),
});

export const SearchHits = z.object({
  hits: z.array(SearchHit),
  before: integer.optional().describe("`before` of the next page."),
  partial: z.literal(true).optional().describe("Not everything was searched."),
});

export const Sizes = z.object({
  sizes: z.array(z.object({ id: text, bytes: integer, entries: integer })),
});

export const Places = z.object({
  places: z.array(text),
  default: text.describe("That of new sessions."),
});

export const Health = z.object({
  status: z.literal("ok"),
  version: text,
  sessions: integer.describe("How many there are."),
});

export const PageVersion = z.object({ version: text });
