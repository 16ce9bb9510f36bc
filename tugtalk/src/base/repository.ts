/** The Git repository that a folder is in, as far as Claude goes through it, and its worktrees. */
import { readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

const MAX_BYTES = 64 * 1024;

export type Repository = {
  /** The root of the working tree and, of a linked one, the root of the main one. */
  readonly roots: readonly string[];
  /** From the folder up to the root of its working tree; outside of any, up to the root of the file system. */
  readonly folders: readonly string[];
};

/** Looks for `.git` in the folder and those above it. */
export async function repositoryOf(dir: string): Promise<Repository> {
  const folders = foldersUpFrom(dir);
  for (const [index, folder] of folders.entries()) {
    const git = await gitIn(folder);
    if (git === undefined) continue;
    const main = git === "linked" ? await mainRootOf(folder) : undefined;
    const roots = main === undefined ? [folder] : [folder, main];
    return { roots, folders: folders.slice(0, index + 1) };
  }
  return { roots: [], folders };
}

/**
 * The folder of Claude's own worktree of this name, which Claude makes where it is not there: in the main
 * working tree of the repository. Undefined where the folder is in none, or is not there.
 */
export async function worktreeFolder(dir: string, name: string): Promise<string | undefined> {
  const path = await realpath(dir).catch(() => undefined);
  const root = path === undefined ? undefined : (await repositoryOf(path)).roots.at(-1);
  return root === undefined ? undefined : join(root, ".claude", "worktrees", name);
}

/** The folder, and all above it. */
export function foldersUpFrom(dir: string): string[] {
  const parent = dirname(dir);
  return parent === dir ? [dir] : [dir, ...foldersUpFrom(parent)];
}

async function gitIn(folder: string): Promise<"main" | "linked" | undefined> {
  const found = await stat(join(folder, ".git")).catch(() => undefined);
  if (found === undefined) return undefined;
  return found.isFile() ? "linked" : "main";
}

/** The `.git` of a linked working tree is a file with the path of its data, which names the data of the main one. */
async function mainRootOf(folder: string): Promise<string | undefined> {
  const named = /^gitdir:\s*(.+)/.exec((await readText(join(folder, ".git"))) ?? "")?.[1];
  if (named === undefined) return undefined;
  const data = resolve(folder, named.trim());
  const common = await readText(join(data, "commondir"));
  if (common === undefined) return undefined;
  const git = resolve(data, common.trim());
  return basename(git) === ".git" ? dirname(git) : undefined;
}

/** Git writes a path there. */
async function readText(path: string): Promise<string | undefined> {
  const isFile = await stat(path).then(
    (found) => found.isFile() && found.size < MAX_BYTES,
    () => false,
  );
  return isFile ? readFile(path, "utf8").catch(() => undefined) : undefined;
}
