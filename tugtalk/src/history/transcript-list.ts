/**
 * The conversations of a folder, newest first. All files are dated, and few more than those of one page
 * are opened, most of them at their two ends only. Protocol reference §7.
 */
import { open } from "node:fs/promises";
import { isOverlong, LineSplitter } from "../base/lines.ts";
import {
  PAGE_SIZES,
  SESSION_CURSOR,
  type SessionList,
  type SessionSummary,
} from "../messages/history-messages.ts";
import type { OutboundDraft } from "../types.ts";
import { type Dated, datedTranscripts, inBatches, newestFirst } from "./transcript-dates.ts";
import {
  asCommand,
  isOfConversation,
  parseRawLine,
  parseTranscriptLine,
} from "./transcript-line.ts";
import { holdsConversation } from "./transcripts.ts";

/** How much of either end of a transcript is read for its title, in bytes. */
const EDGE_BYTES = 64 * 1024;
/** A title is cut off at this, in characters. */
const MAX_TITLE = 200;

type Found = {
  readonly dated: Dated;
  readonly summary: SessionSummary;
  /** Whether an end of the transcript shows that it holds a conversation. */
  readonly isShown: boolean;
};

/** Answers one request. A folder in which nothing was said has no conversations. */
export async function listSessions(
  folder: string,
  { limit = PAGE_SIZES.sessions.usual, before }: Pick<SessionList, "limit" | "before">,
): Promise<Extract<OutboundDraft, { type: "session_list_result" }>> {
  const older = (await datedTranscripts(folder)).filter((one) => isBefore(one, before));
  const found = await firstConversations(older, limit + 1);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    type: "session_list_result",
    sessions: page.map(({ summary }) => summary),
    ...(last !== undefined && found.length > limit && { next: cursorOf(last.dated) }),
  };
}

function cursorOf({ at, id }: Dated): string {
  return `${at}_${id}`;
}

function isBefore(one: Dated, cursor: string | undefined): boolean {
  const [, at, id] = SESSION_CURSOR.exec(cursor ?? "") ?? [];
  if (at === undefined || id === undefined) return true;
  return newestFirst({ id, at: Number(at) }, one) < 0 && id !== one.id;
}

/** The first of these transcripts that hold a conversation, this many or all that there are. */
async function firstConversations(dated: readonly Dated[], count: number): Promise<Found[]> {
  const found: Found[] = [];
  for (let at = 0; at < dated.length && found.length < count; at += count) {
    const some = await inBatches(dated.slice(at, at + count), lookAt);
    // One after the other, since what stands between the ends may be long.
    for (const one of some) if (one.isShown || (await mayHold(one.dated))) found.push(one);
  }
  return found.slice(0, count);
}

async function lookAt(dated: Dated): Promise<Found> {
  const { head, tail } = await edgesOf(dated.path);
  const isShown = head.some(isOfConversation) || tail.some(isOfConversation);
  return { dated, isShown, summary: summaryOf(dated, head, tail) };
}

/** Nothing is known of a file that may not be read, so it stays in the list. */
function mayHold({ path }: Dated): Promise<boolean> {
  return holdsConversation(path).catch(() => true);
}

// ---------------------------------------------------------------------------------------- summary

function summaryOf({ id, at, bytes }: Dated, head: Lines, tail: Lines): SessionSummary {
  const title = titleOf(head, tail);
  const gitBranch = lastOf(tail, "gitBranch");
  const version = lastOf(tail, "version");
  return {
    session_id: id,
    updated_at: new Date(at).toISOString(),
    bytes,
    ...(title !== undefined && { title }),
    ...(gitBranch && { git_branch: gitBranch }),
    ...(version && { claude_version: version }),
  };
}

type Lines = readonly Uint8Array[];

/** The whole lines at both ends; nothing of a file that has gone or may not be read. */
async function edgesOf(path: string): Promise<{ head: Lines; tail: Lines }> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const head = await bytesAt(file, 0);
    if (size <= EDGE_BYTES) return { head: linesIn(head, true), tail: linesIn(head, true) };
    const tail = await bytesAt(file, size - EDGE_BYTES);
    return { head: linesIn(head, false), tail: linesIn(tail, true).slice(1) };
  } catch {
    // The list is still true: the conversation is there, and nothing is known of it.
    return { head: [], tail: [] };
  }
}

async function bytesAt(file: Awaited<ReturnType<typeof open>>, at: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(EDGE_BYTES), 0, EDGE_BYTES, at);
  return buffer.subarray(0, bytesRead);
}

/** The last one may lack its end: it counts where the file ends with it. */
function linesIn(bytes: Uint8Array, isEnd: boolean): Lines {
  const splitter = new LineSplitter();
  const lines = [...splitter.feed(bytes), ...(isEnd ? splitter.end() : [])];
  return lines.flatMap((line) => (isOverlong(line) ? [] : [line]));
}

/** What Claude's own list shows: the title that was given, or its own, or else what was said. */
function titleOf(head: Lines, tail: Lines): string | undefined {
  const newest = (key: string) => lastOf(tail, key) ?? lastOf(head, key);
  const title =
    newest("customTitle") ||
    newest("aiTitle") ||
    lastOf(tail, "lastPrompt") ||
    newest("summary") ||
    firstSaid(head);
  if (title === undefined) return undefined;
  const line = [...asCommand(title).replaceAll(/\s+/g, " ").trim()];
  if (line.length === 0) return undefined;
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 1).join("")}…` : line.join("");
}

/**
 * The last text under a key, which is searched for before anything is parsed. An empty one takes back
 * those before it.
 */
function lastOf(lines: Lines, key: string): string | undefined {
  const needle = `"${key}":"`;
  for (const line of lines.toReversed()) {
    if (Buffer.from(line).indexOf(needle) === -1) continue;
    const value = parseRawLine(line)?.[key];
    if (typeof value === "string") return value;
  }
  return undefined;
}

function firstSaid(lines: Lines): string | undefined {
  for (const line of lines) {
    const parsed = parseTranscriptLine(line);
    if (typeof parsed !== "object" || parsed.isSidechain || !parsed.isUserPrompt) continue;
    const [said] = parsed.messages;
    if (said?.type === "user_text") return said.text;
  }
  return undefined;
}
