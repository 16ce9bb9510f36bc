/**
 * The conversations of a folder or of all folders, newest first. Opens little more than the transcripts of one page, most of
 * them at both ends only. Protocol reference §7.
 */
import { definedFields } from "../messages/envelope.ts";
import {
  PAGE_SIZES,
  SESSION_CURSOR,
  type SessionList,
  type SessionSummary,
} from "../messages/history-messages.ts";
import type { OutboundDraft } from "../types.ts";
import { isOfConversation } from "./raw-line.ts";
import { asLine, promptTitle, withoutResources } from "./title-text.ts";
import {
  type Ends,
  firstOf,
  givenTitle,
  type Lines,
  lastOf,
  readEnds,
  storedTitle,
} from "./transcript-ends.ts";
import {
  inBatches,
  listAllTranscripts,
  listTranscripts,
  newestFirst,
  type TranscriptEntry,
  transcriptsOf,
} from "./transcript-folder.ts";
import { parseTranscriptLine } from "./transcript-line.ts";
import { hasLine } from "./transcript-reader.ts";

/** The newest conversation; undefined where there is none. Claude resumes no transcript without one. */
export async function newestSession(folder: string): Promise<string | undefined> {
  for (const { id, path } of await listTranscripts(folder)) {
    // A transcript that was deleted or is not readable cannot be resumed.
    if (await hasLine(path, isOfConversation).catch(() => false)) return id;
  }
  return undefined;
}

/** Whether a list shows the conversation: some folder has a transcript of it that is not empty. */
export async function isListed(configDir: string, sessionId: string): Promise<boolean> {
  for (const path of await transcriptsOf(configDir, sessionId))
    if (await hasLine(path, isOfConversation).catch(() => true)) return true;
  return false;
}

type Found = {
  readonly entry: TranscriptEntry;
  readonly summary: SessionSummary;
  /** An end of the transcript shows that it holds a conversation. */
  readonly isShown: boolean;
};

type Page = Pick<SessionList, "limit" | "before"> & { readonly titleOf?: TitleOf };
type TitleOf = (ends: Ends) => string | undefined;
type ListResult = Extract<OutboundDraft, { type: "session_list_result" }>;

/** Answers one `session_list` of a folder. */
export async function listSessions(folder: string, page: Page): Promise<ListResult> {
  return listPage(await listTranscripts(folder), page);
}

/** Answers one `session_list` of all folders. */
export async function listAllSessions(configDir: string, page: Page): Promise<ListResult> {
  return listPage(await listAllTranscripts(configDir), page);
}

async function listPage(
  entries: readonly TranscriptEntry[],
  { limit = PAGE_SIZES.sessions.default, before, titleOf = claudesTitle }: Page,
): Promise<ListResult> {
  const older = entries.filter((entry) => isBefore(entry, before));
  const found = await firstConversations(older, limit + 1, titleOf);
  const page = found.slice(0, limit);
  const last = page.at(-1)?.entry;
  return {
    type: "session_list_result",
    sessions: page.map(({ summary }) => summary),
    ...(last !== undefined && found.length > limit && { next: `${last.at}_${last.id}` }),
  };
}

function isBefore(entry: TranscriptEntry, cursor: string | undefined): boolean {
  const [, at, id] = SESSION_CURSOR.exec(cursor ?? "") ?? [];
  if (at === undefined || id === undefined) return true;
  return newestFirst({ id, at: Number(at) }, entry) < 0 && id !== entry.id;
}

/** The first transcripts that hold a conversation: `count`, or fewer where there are no more. */
async function firstConversations(
  entries: readonly TranscriptEntry[],
  count: number,
  titleOf: TitleOf,
): Promise<Found[]> {
  const inspected = (entry: TranscriptEntry) => inspect(entry, titleOf);
  const found: Found[] = [];
  for (let at = 0; at < entries.length && found.length < count; at += count) {
    const some = await inBatches(entries.slice(at, at + count), inspected);
    // One after the other, since the part between the ends may be long.
    for (const one of some) if (one.isShown || (await mayHold(one.entry))) found.push(one);
  }
  return found.slice(0, count);
}

async function inspect(entry: TranscriptEntry, titleOf: TitleOf): Promise<Found> {
  const ends = await readEnds(entry);
  const isShown = ends.head.some(isOfConversation) || ends.tail.some(isOfConversation);
  return { entry, isShown, summary: summaryOf(entry, ends, titleOf(ends)) };
}

/** A file that is not readable stays in the list. */
function mayHold({ path }: TranscriptEntry): Promise<boolean> {
  return hasLine(path, isOfConversation).catch(() => true);
}

function claudesTitle(ends: Ends): string | undefined {
  return storedTitle(ends) || withoutResources(firstPrompt(ends.head) ?? "");
}

/** A title that stays the same from prompt to prompt, as Claude's need not: only a given one replaces it. */
export function steadyTitle(ends: Ends): string | undefined {
  const given = givenTitle(ends);
  if (given) return given;
  for (const prompt of promptsIn(ends.head)) {
    const title = promptTitle(prompt);
    if (title !== undefined) return title;
  }
  return claudesTitle(ends);
}

function summaryOf(
  { id, at, bytes }: TranscriptEntry,
  { head, tail }: Ends,
  title: string | undefined,
): SessionSummary {
  const prompt = firstPrompt(head);
  return definedFields({
    session_id: id,
    created_at: createdAt(head),
    updated_at: new Date(at).toISOString(),
    bytes,
    title: asLine(title ?? ""),
    first_prompt: prompt && asLine(prompt),
    cwd: firstOf(head, "cwd") || undefined,
    git_branch: lastOf(tail, "gitBranch") || undefined,
    claude_version: lastOf(tail, "version") || undefined,
  });
}

/** The first line with a time, which each message has. */
function createdAt(head: Lines): string | undefined {
  const time = firstOf(head, "timestamp");
  const ms = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

function firstPrompt(lines: Lines): string | undefined {
  const [prompt] = promptsIn(lines);
  return prompt;
}

function* promptsIn(lines: Lines): Generator<string> {
  for (const line of lines) {
    const parsed = parseTranscriptLine(line);
    if (typeof parsed !== "object" || parsed.isSidechain || parsed.role !== "user_prompt") continue;
    const [prompt] = parsed.messages;
    if (prompt?.type === "user_text") yield prompt.text;
  }
}
