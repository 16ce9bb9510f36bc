/** Completes file names within the folder of a session. Never names a file outside of it. */
import type { Dirent } from "node:fs";
import { opendir, realpath } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import type { FileMatch } from "../../client/host-api.ts";
import { bestMatches } from "./file-rank.ts";
import { isFolder, isInside, realDir } from "./real-dir.ts";

/** The limits of a walk through a tree. Of a larger tree a part is searched, upper folders first. */
export type WalkLimits = { readonly entries: number; readonly ms: number };

const LIMITS: WalkLimits = { entries: 30_000, ms: 400 };

export type CompletionOptions = {
  readonly limits?: WalkLimits;
  /** A folder to leave out. A real path. */
  readonly hidden?: string | undefined;
};

/** The tree to walk, and the folder to leave out. Real paths. */
type Tree = { readonly root: string; readonly hidden: string | undefined };

const MAX_MATCHES = 50;

/** Folders of tools, which are completed only for a query with their name. */
const IGNORED: ReadonlySet<string> = new Set([
  ...[".git", ".hg", ".svn", ".jj"],
  ...["node_modules", "bower_components", "__pycache__", "site-packages"],
  ...[".venv", ".tox", ".mypy_cache", ".pytest_cache", ".ruff_cache"],
  ...[".cache", ".gradle", ".next", ".nuxt", ".turbo", ".svelte-kit", ".terraform"],
]);

/**
 * The best matches, at most 50. The part of `query` up to its last `/` names a folder to search, if `dir` has
 * it. The rest, or all of it, is searched in names and paths. Without a rest: the content of the folder.
 * Rejects with an `ApiError` if `dir` is no folder any more.
 */
export async function completeFiles(
  dir: string,
  query: string,
  { limits = LIMITS, hidden }: CompletionOptions = {},
): Promise<readonly FileMatch[]> {
  const tree = { root: await realDir(dir), hidden };
  const start = await startOf(tree, query);
  if (start === undefined) return [];
  const found: FileMatch[] = [];
  const until = performance.now() + limits.ms;
  for await (const match of walk(tree, start)) {
    found.push(match);
    if (found.length >= limits.entries || performance.now() > until) break;
  }
  return bestMatches(found, start.rest, MAX_MATCHES).map(({ path, kind }) => ({
    path: start.prefix + path,
    kind,
  }));
}

/** A real folder to search, the part of the query that names it, and the rest to search there. */
type Start = { readonly folder: string; readonly prefix: string; readonly rest: string };

/** Undefined: the query leads out of the folder. */
async function startOf({ root, hidden }: Tree, query: string): Promise<Start | undefined> {
  const end = query.lastIndexOf("/") + 1;
  const named = resolve(root, query.slice(0, end));
  if (!isInside(root, named)) return undefined;
  const folder = await realpath(named).catch(() => undefined);
  if (folder === undefined || !(await isFolder(folder))) {
    return { folder: root, prefix: "", rest: query };
  }
  if (!isInside(root, folder) || isHidden(folder, hidden)) return undefined;
  const prefix = named === root ? "" : `${pathFrom(root, named)}/`;
  return { folder, prefix, rest: query.slice(end) };
}

/** The entries of a folder; with something to search, also the entries of its folders. */
async function* walk(tree: Tree, { folder, rest }: Start): AsyncGenerator<FileMatch> {
  const waiting = [folder];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for await (const entry of entriesOf(next)) {
      const path = join(next, entry.name);
      const kind = await kindOf(tree, path, entry);
      if (kind === undefined) continue;
      yield { path: pathFrom(folder, path), kind };
      // Links are not followed: they may lead in a circle.
      if (rest !== "" && entry.isDirectory()) waiting.push(path);
    }
  }
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    for await (const entry of await opendir(folder)) {
      if (!IGNORED.has(entry.name)) yield entry;
    }
  } catch {
    // The folder is unreadable or gone, and has no matches.
  }
}

/** Undefined for an entry that is neither file nor folder, and for a link that leads out. */
async function kindOf({ root, hidden }: Tree, path: string, entry: Dirent) {
  if (entry.isDirectory()) return isHidden(path, hidden) ? undefined : "folder";
  if (entry.isFile()) return "file";
  if (!entry.isSymbolicLink()) return undefined;
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined || !isInside(root, target)) return undefined;
  if (isHidden(target, hidden)) return undefined;
  return (await isFolder(target)) ? "folder" : "file";
}

function isHidden(path: string, hidden: string | undefined): boolean {
  return hidden !== undefined && isInside(hidden, path);
}

function pathFrom(root: string, path: string): string {
  return relative(root, path).replaceAll(sep, "/");
}
