/**
 * The conversations of a folder or of all folders, newest first. Opens little more than the transcripts of one page, most of
 * them at both ends only. Protocol reference §7.
 */
import { isOverlong, LineSplitter } from "../base/lines.ts";
import { definedFields } from "../messages/envelope.ts";
import {
  PAGE_SIZES,
  SESSION_CURSOR,
  type SessionList,
  type SessionSummary,
} from "../messages/history-messages.ts";
import type { OutboundDraft } from "../types.ts";
import { isOfConversation, parseRawLine } from "./raw-line.ts";
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

/** How much of either end of a transcript is read for its summary. */
const EDGE_BYTES = 64 * 1024;

const MAX_TITLE_CHARS = 200;

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

type Page = Pick<SessionList, "limit" | "before">;
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
  { limit = PAGE_SIZES.sessions.default, before }: Page,
): Promise<ListResult> {
  const older = entries.filter((entry) => isBefore(entry, before));
  const found = await firstConversations(older, limit + 1);
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
): Promise<Found[]> {
  const found: Found[] = [];
  for (let at = 0; at < entries.length && found.length < count; at += count) {
    const some = await inBatches(entries.slice(at, at + count), inspect);
    // One after the other, since the part between the ends may be long.
    for (const one of some) if (one.isShown || (await mayHold(one.entry))) found.push(one);
  }
  return found.slice(0, count);
}

async function inspect(entry: TranscriptEntry): Promise<Found> {
  const { head, tail } = await edgesOf(entry);
  const isShown = head.some(isOfConversation) || tail.some(isOfConversation);
  return { entry, isShown, summary: summaryOf(entry, head, tail) };
}

/** A file that is not readable stays in the list. */
function mayHold({ path }: TranscriptEntry): Promise<boolean> {
  return hasLine(path, isOfConversation).catch(() => true);
}

type Lines = readonly Uint8Array[];

/** The lines at both ends; none of a file that is not readable. A line that is cut does not parse. */
async function edgesOf({ path, bytes }: TranscriptEntry): Promise<{ head: Lines; tail: Lines }> {
  const file = Bun.file(path);
  const tailStart = Math.max(0, bytes - EDGE_BYTES);
  try {
    const head = await file.slice(0, EDGE_BYTES).bytes();
    const tail = tailStart === 0 ? head : await file.slice(tailStart, bytes).bytes();
    return { head: linesIn(head), tail: linesIn(tail) };
  } catch {
    return { head: [], tail: [] }; // The conversation is listed without a title.
  }
}

function linesIn(bytes: Uint8Array): Lines {
  const splitter = new LineSplitter();
  const lines = [...splitter.feed(bytes), ...splitter.end()];
  return lines.flatMap((line) => (isOverlong(line) ? [] : [line]));
}

function summaryOf({ id, at, bytes }: TranscriptEntry, head: Lines, tail: Lines): SessionSummary {
  const prompt = firstPrompt(head);
  return definedFields({
    session_id: id,
    created_at: createdAt(head),
    updated_at: new Date(at).toISOString(),
    bytes,
    title: titleOf(head, tail, prompt),
    first_prompt: prompt && asLine(prompt),
    cwd: firstOf(head, "cwd") || undefined,
    git_branch: lastOf(tail, "gitBranch") || undefined,
    claude_version: lastOf(tail, "version") || undefined,
  });
}

/** As in Claude's own list: the given title, a generated one, or a prompt. */
function titleOf(head: Lines, tail: Lines, prompt: string | undefined): string | undefined {
  const newest = (key: string) => lastOf(tail, key) ?? lastOf(head, key);
  const title =
    newest("customTitle") ||
    newest("aiTitle") ||
    lastOf(tail, "lastPrompt") ||
    newest("summary") ||
    prompt;
  return title && asLine(title);
}

/** One line of limited length; undefined if it would be empty. */
function asLine(text: string): string | undefined {
  const chars = [...text.replaceAll(/\s+/g, " ").trim()];
  if (chars.length > MAX_TITLE_CHARS) return `${chars.slice(0, MAX_TITLE_CHARS - 1).join("")}…`;
  return chars.join("") || undefined;
}

/** The last text under a key. An empty one removes the earlier ones. */
function lastOf(lines: Lines, key: string): string | undefined {
  return firstOf(lines.toReversed(), key);
}

function firstOf(lines: Lines, key: string): string | undefined {
  const needle = `"${key}":"`;
  for (const line of lines) {
    // Most lines lack the key, and a search is cheaper than a parse.
    if (Buffer.from(line).indexOf(needle) === -1) continue;
    const value = parseRawLine(line)?.[key];
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** The first line with a time, which each message has. */
function createdAt(head: Lines): string | undefined {
  const time = firstOf(head, "timestamp");
  const ms = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

function firstPrompt(lines: Lines): string | undefined {
  for (const line of lines) {
    const parsed = parseTranscriptLine(line);
    if (typeof parsed !== "object" || parsed.isSidechain || parsed.role !== "user_prompt") continue;
    const [prompt] = parsed.messages;
    if (prompt?.type === "user_text") return prompt.text;
  }
  return undefined;
}
