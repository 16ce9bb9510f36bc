/** Where Claude keeps the transcripts of a project, and which there are. Protocol reference §7. */
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isAtLeast } from "../base/versions.ts";
import type { ErrorCode } from "../messages/error-message.ts";
import { TugtalkError } from "../messages/errors.ts";

/** V197 and V330 shorten a longer name and add a hash of the path. */
const MAX_NAME_CHARS = 200;

/**
 * The names that Claude gives to the folder of a project, by its real path. `old` is the name that V38 gives:
 * it differs for a long path, and for a path that is not in Unicode's composed form.
 */
export function folderNamesOf(path: string): { readonly usual: string; readonly old: string } {
  return { usual: shortened(dashed(path), path), old: dashed(path.normalize("NFC")) };
}

/** A character of two UTF-16 units becomes two dashes. */
function dashed(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, "-");
}

function shortened(name: string, path: string): string {
  if (name.length <= MAX_NAME_CHARS) return name;
  let hash = 0;
  for (let at = 0; at < path.length; at += 1) hash = (hash * 31 + path.charCodeAt(at)) | 0;
  return `${name.slice(0, MAX_NAME_CHARS)}-${Math.abs(hash).toString(36)}`;
}

/** A folder that Claude works in. `isMade`: Claude makes it where it is not there. */
export type WorkFolder = { readonly path: string; readonly isMade: boolean };

/** The path of a folder that Claude has yet to make is a real path already. */
function realPath({ path, isMade }: WorkFolder): Promise<string> {
  return realpath(path).catch((cause: unknown) => {
    if (isMade) return path;
    const message = `no such folder: ${path}`;
    throw new TugtalkError("claude_start_failed", message, { reason: "missing_directory", cause });
  });
}

/** The folder of the transcripts of `work`: whichever of its possible names exists. */
export async function transcriptFolder(work: WorkFolder, configDir: string): Promise<string> {
  const path = await realPath(work);
  const { usual, old } = folderNamesOf(path);
  const folder = join(configDir, "projects", usual);
  if (usual === old || (await isFolder(folder))) return folder;
  const oldFolder = join(configDir, "projects", old);
  return (await isFolder(oldFolder)) ? oldFolder : folder;
}

/** The same for a conversation that is to be put there, for a Claude of this version if it is known. */
export async function folderToRestore(
  work: WorkFolder,
  configDir: string,
  claudeVersion?: string,
): Promise<string> {
  const folder = await transcriptFolder(work, configDir);
  if (claudeVersion === undefined || isAtLeast(claudeVersion, "2.1.197")) return folder;
  return join(configDir, "projects", folderNamesOf(await realPath(work)).old);
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** The path of one transcript. Rejects with this code where there is none. */
export async function transcriptPath(
  folder: string,
  sessionId: string,
  code: ErrorCode,
): Promise<string> {
  const path = await plainFile(folder, `${sessionId}.jsonl`);
  if (path !== undefined) return path;
  const message = `no transcript of the conversation ${sessionId} in ${folder}`;
  throw new TugtalkError(code, message, { reason: "no_such_session" });
}

/** The path of a file below `folder`; undefined unless it is a file that is reached without a link. */
export async function plainFile(
  folder: string,
  ...names: readonly string[]
): Promise<string | undefined> {
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined) return undefined;
  const path = join(root, ...names);
  const real = await realpath(path).catch(() => undefined);
  if (real !== path) return undefined;
  return (await stat(path).catch(() => undefined))?.isFile() === true ? path : undefined;
}

/** The name of a transcript; the first group is the id of its conversation. */
const TRANSCRIPT = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/;

/** One transcript. `at` is its last modification, in ms. */
export type TranscriptEntry = {
  readonly id: string;
  readonly path: string;
  readonly at: number;
  readonly bytes: number;
};

/** All transcripts of a folder, the newest first. Opens none. */
export async function listTranscripts(folder: string): Promise<TranscriptEntry[]> {
  const names = await readdir(folder).catch(() => []);
  const ids = names.flatMap((name) => TRANSCRIPT.exec(name)?.[1] ?? []);
  const entries = await inBatches(ids, (id) => entryOf(id, join(folder, `${id}.jsonl`)));
  return entries.flatMap((entry) => entry ?? []).sort(newestFirst);
}

/** The transcripts of all folders, the newest first. Opens none, and follows no link. */
export async function listAllTranscripts(configDir: string): Promise<TranscriptEntry[]> {
  const projects = join(configDir, "projects");
  const found = await readdir(projects, { withFileTypes: true }).catch(() => []);
  const entries: TranscriptEntry[] = [];
  // One after the other: the files of a folder are looked up side by side.
  for (const folder of found)
    if (folder.isDirectory()) entries.push(...(await listTranscripts(join(projects, folder.name))));
  return entries.sort(newestFirst);
}

/** Whether any folder has a file with the name of this transcript, whatever it holds. */
export async function hasTranscript(configDir: string, sessionId: string): Promise<boolean> {
  return (await transcriptsOf(configDir, sessionId)).length > 0;
}

/** The files with the name of this transcript, in all folders. */
export async function transcriptsOf(configDir: string, sessionId: string): Promise<string[]> {
  const projects = join(configDir, "projects");
  const folders = await readdir(projects).catch(() => []);
  const found = await inBatches(folders, async (folder) => {
    const path = join(projects, folder, `${sessionId}.jsonl`);
    return lstat(path).then(
      () => [path],
      () => [],
    );
  });
  return found.flat();
}

/** Links are not followed. */
async function entryOf(id: string, path: string): Promise<TranscriptEntry | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  return { id, path, at: Math.trunc(found.mtimeMs), bytes: found.size };
}

type Dated = Pick<TranscriptEntry, "id" | "at">;

/** Compares transcripts, also those of the same millisecond. */
export function newestFirst(one: Dated, other: Dated): number {
  if (one.at !== other.at) return other.at - one.at;
  return one.id < other.id ? 1 : -1;
}

const BATCH_SIZE = 256;

/** The results of `work` in the order of the items. Files are opened in batches, which bounds how many are open. */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += BATCH_SIZE)
    results.push(...(await Promise.all(items.slice(at, at + BATCH_SIZE).map(work))));
  return results;
}
