/** The folders in a folder, for the dialog of a new session. */
import { opendir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FolderList } from "../../client/host-api.ts";
import { repositoryOf } from "../../src/base/repository.ts";
import { ApiError } from "../api/api-error.ts";
import { isFolder, realDir } from "./real-dir.ts";

const MAX_DIRS = 1_000;

/**
 * The folders in `path`, which is absolute or begins with `~`. Rejects with an `ApiError` if the folder does
 * not exist.
 */
export async function listFolders(path: string): Promise<Omit<FolderList, "recent">> {
  const real = await realDir(path);
  const names = (await foldersIn(real)).sort(byName);
  const parent = dirname(real);
  const { roots } = await repositoryOf(real);
  return {
    path: real,
    ...(parent !== real && { parent }),
    in_repository: roots.length > 0,
    dirs: names.map((name) => ({ name, path: join(real, name) })),
  };
}

async function foldersIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (await isFolder(join(folder, entry.name), entry)) names.push(entry.name);
      if (names.length === MAX_DIRS) break;
    }
  } catch {
    throw new ApiError(400, "no_such_dir", `the folder may not be read: ${folder}`);
  }
  return names;
}

function byName(one: string, other: string): number {
  const hidden = Number(one.startsWith(".")) - Number(other.startsWith("."));
  return hidden || one.localeCompare(other);
}
