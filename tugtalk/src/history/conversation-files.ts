/** Finds the files of one conversation: its own, and the files of its agents. Follows no link. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { inBatches, plainFile } from "./transcript-folder.ts";
import { agentFolderOf, isFileOf, mainFileOf } from "./transcript-names.ts";

/** One file, by its name and where it is. */
export type ConversationFile = { readonly name: string; readonly path: string };

/** The files of agents come first: the end of a turn is in the last file. */
export async function conversationFiles(
  folder: string,
  configDir: string,
  sessionId: string,
): Promise<readonly ConversationFile[]> {
  const home = await homeOf(folder, configDir, sessionId);
  if (home === undefined) return [];
  const agents = await readdir(join(home, agentFolderOf(sessionId)), { recursive: true }).catch(
    () => [],
  );
  const names = agents.map((name) => `${agentFolderOf(sessionId)}/${name}`).sort();
  const own = names.filter((name) => isFileOf(sessionId, name));
  const found = await inBatches(own, async (name) => ({ name, path: await plainFile(home, name) }));
  const main = mainFileOf(sessionId);
  return [...found.flatMap(withPath), { name: main, path: join(home, main) }];
}

function withPath(file: { readonly name: string; readonly path: string | undefined }) {
  const { name, path } = file;
  return path === undefined ? [] : [{ name, path }];
}

/** The folder that has the conversation: the usual one, or where a worktree has led Claude. */
async function homeOf(
  folder: string,
  configDir: string,
  sessionId: string,
): Promise<string | undefined> {
  const main = mainFileOf(sessionId);
  if (await exists(join(folder, main))) return folder;
  const projects = join(configDir, "projects");
  for (const name of await readdir(projects).catch(() => []))
    if (await exists(join(projects, name, main))) return join(projects, name);
  return undefined;
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
