/** Claude's transcripts on disk: where the conversations of a folder are. Protocol reference §7. */
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ErrorCode, TugtalkError } from "../messages/errors.ts";
import { folderNamesOf } from "./folder-name.ts";
import { datedTranscripts } from "./transcript-dates.ts";
import { isOfConversation } from "./transcript-line.ts";
import { hasLine } from "./transcript-reader.ts";

/** The folder of the transcripts of `directory`; of the names that it may have, one that is there. */
export async function transcriptFolder(directory: string, configDir: string): Promise<string> {
  const path = await realpath(directory).catch((cause: unknown) => {
    const words = `no such folder: ${directory}`;
    throw new TugtalkError("claude_start_failed", words, { reason: "missing_directory", cause });
  });
  const { usual, old } = folderNamesOf(path);
  const folder = join(configDir, "projects", usual);
  if (usual === old || (await isFolder(folder))) return folder;
  const oldFolder = join(configDir, "projects", old);
  return (await isFolder(oldFolder)) ? oldFolder : folder;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** The id of the conversation that was written to last; nothing where there is none. */
export async function newestSession(folder: string): Promise<string | undefined> {
  for (const { id, path } of await datedTranscripts(folder)) {
    // One that has gone or may not be read cannot be taken up.
    const isThere = await holdsConversation(path).catch(() => false);
    if (isThere) return id;
  }
  return undefined;
}

/** Whether Claude would take a transcript up: some hold notes of Claude's only. Rejects where it cannot be read. */
export function holdsConversation(path: string): Promise<boolean> {
  return hasLine(path, isOfConversation);
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

/** The path of a file below `folder`; nothing unless it is a plain one that no link leads away to. */
export async function plainFile(
  folder: string,
  ...names: readonly string[]
): Promise<string | undefined> {
  const home = await realpath(folder).catch(() => undefined);
  if (home === undefined) return undefined;
  const path = join(home, ...names);
  const real = await realpath(path).catch(() => undefined);
  if (real !== path) return undefined;
  return (await stat(path).catch(() => undefined))?.isFile() === true ? path : undefined;
}
