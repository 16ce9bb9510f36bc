/** Finds the files of one conversation: its own, and those of its agents. Follows no link. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { agentFolderOf, isFileOf, mainFileOf } from "./transcript-names.ts";

/** One file, by its name and where it is. */
export type ConversationFile = { readonly name: string; readonly path: string };

/** Those of agents come first: what tells of the end of a turn is in the last one. */
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
  return [...names.filter((name) => isFileOf(sessionId, name)), mainFileOf(sessionId)].map(
    (name) => ({ name, path: join(home, name) }),
  );
}

/** The folder that has the conversation: the usual one, or where a worktree has led Claude. */
async function homeOf(
  folder: string,
  configDir: string,
  sessionId: string,
): Promise<string | undefined> {
  const projects = join(configDir, "projects");
  const others = await readdir(projects).catch(() => []);
  for (const home of [folder, ...others.map((name) => join(projects, name))])
    if (await exists(join(home, mainFileOf(sessionId)))) return home;
  return undefined;
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
