/**
 * The conversations of a folder, newest first. All files are dated, and only those of one page are
 * opened, at their two ends. Protocol reference §7.
 */
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import {
  PAGE_SIZES,
  SESSION_CURSOR,
  type SessionList,
  type SessionSummary,
} from "./history-messages.ts";
import { asCommand, parseRawLine, parseTranscriptLine } from "./transcript-line.ts";
import { TRANSCRIPT, transcriptFolder } from "./transcripts.ts";
import type { OutboundDraft } from "./types.ts";

/** How much of either end of a transcript is read for its title, in bytes. */
const EDGE_BYTES = 32 * 1024;
/** Files that are looked at together, so that the session in hand is heard in between. */
const AT_ONCE = 256;
/** A title is cut off at this, in characters. */
const MAX_TITLE = 200;

type Dated = { readonly id: string; readonly at: number; readonly bytes: number };

/** Answers one request. A folder in which nothing was said has no conversations. */
export async function listSessions(
  directory: string,
  { limit = PAGE_SIZES.sessions.usual, before }: Pick<SessionList, "limit" | "before">,
  configDir?: string,
): Promise<Extract<OutboundDraft, { type: "session_list_result" }>> {
  const folder = await transcriptFolder(directory, configDir);
  const older = (await datedSessions(folder)).filter((one) => isBefore(one, before));
  const page = older.slice(0, limit);
  const sessions = await inBatches(page, (one) => summaryOf(folder, one));
  const last = page.at(-1);
  return {
    type: "session_list_result",
    sessions,
    ...(last !== undefined && older.length > limit && { next: cursorOf(last) }),
  };
}

async function datedSessions(folder: string): Promise<Dated[]> {
  const names = await readdir(folder).catch(() => []);
  const ids = names.flatMap((name) => TRANSCRIPT.exec(name)?.[1] ?? []);
  const dated = await inBatches(ids, (id) => dateOf(folder, id));
  return dated.flatMap((one) => one ?? []).sort(newestFirst);
}

/** A link is not followed: nobody says where it leads. */
async function dateOf(folder: string, id: string): Promise<Dated | undefined> {
  const found = await lstat(join(folder, `${id}.jsonl`)).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  return { id, at: Math.trunc(found.mtimeMs), bytes: found.size };
}

function newestFirst(one: Dated, other: Dated): number {
  if (one.at !== other.at) return other.at - one.at;
  return one.id < other.id ? 1 : -1;
}

function cursorOf({ at, id }: Dated): string {
  return `${at}_${id}`;
}

function isBefore(one: Dated, cursor: string | undefined): boolean {
  const [, at, id] = SESSION_CURSOR.exec(cursor ?? "") ?? [];
  if (at === undefined || id === undefined) return true;
  return newestFirst({ id, at: Number(at), bytes: 0 }, one) < 0 && id !== one.id;
}

async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  return results;
}

// ---------------------------------------------------------------------------------------- summary

async function summaryOf(folder: string, { id, at, bytes }: Dated): Promise<SessionSummary> {
  const { head, tail } = await edgesOf(join(folder, `${id}.jsonl`));
  const title = titleOf(head, tail);
  const told = { git_branch: lastOf(tail, "gitBranch"), claude_version: lastOf(tail, "version") };
  return {
    session_id: id,
    updated_at: new Date(at).toISOString(),
    bytes,
    ...(title !== undefined && { title }),
    ...(told.git_branch !== undefined && { git_branch: told.git_branch }),
    ...(told.claude_version !== undefined && { claude_version: told.claude_version }),
  };
}

type Lines = readonly Uint8Array[];

/** The whole lines at both ends; nothing of a file that has gone or may not be read. */
async function edgesOf(path: string): Promise<{ head: Lines; tail: Lines }> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const head = await bytesAt(file, 0);
    if (size <= EDGE_BYTES) return { head: linesOf(head), tail: linesOf(head) };
    const tail = await bytesAt(file, size - EDGE_BYTES);
    return { head: linesOf(head).slice(0, -1), tail: linesOf(tail).slice(1) };
  } catch {
    // The list is still true: the conversation is there, and nothing is known of it.
    return { head: [], tail: [] };
  }
}

async function bytesAt(file: Awaited<ReturnType<typeof open>>, at: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(EDGE_BYTES), 0, EDGE_BYTES, at);
  return buffer.subarray(0, bytesRead);
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return [...lines, bytes.subarray(start)];
}

/** Claude's own words for it, or else the first thing that was said. */
function titleOf(head: Lines, tail: Lines): string | undefined {
  const words = lastOf(tail, "lastPrompt") ?? lastOf(tail, "summary") ?? lastOf(head, "summary");
  const title = words ?? firstSaid(head);
  if (title === undefined) return undefined;
  const line = [...asCommand(title).replaceAll(/\s+/g, " ").trim()];
  if (line.length === 0) return undefined;
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 1).join("")}…` : line.join("");
}

/** The last text under a key, which is searched for before anything is parsed. */
function lastOf(lines: Lines, key: string): string | undefined {
  const needle = `"${key}":"`;
  for (const line of lines.toReversed()) {
    if (Buffer.from(line).indexOf(needle) === -1) continue;
    const value = parseRawLine(line)?.[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

function firstSaid(lines: Lines): string | undefined {
  for (const line of lines) {
    const parsed = parseTranscriptLine(line);
    if (typeof parsed !== "object" || parsed.isSidechain || !parsed.isSaid) continue;
    const [said] = parsed.messages;
    if (said?.type === "user_text") return said.text;
  }
  return undefined;
}
