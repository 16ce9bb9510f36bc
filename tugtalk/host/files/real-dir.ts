/** A folder by the name that a person gives, on the machine of the host. */
import type { Dirent } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { ApiError } from "../api/api-error.ts";

/** The folder without links in its path; `~` is the home. Rejects with an `ApiError` if there is none. */
export async function realDir(path: string, home = homedir()): Promise<string> {
  const absolute = path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path;
  if (!isAbsolute(absolute)) {
    throw new ApiError(400, "not_absolute", `not an absolute path: ${path}`);
  }
  try {
    const real = await realpath(absolute);
    if ((await stat(real)).isDirectory()) return real;
  } catch {
    throw new ApiError(400, "no_such_dir", `no such folder, or it may not be read: ${path}`);
  }
  throw new ApiError(400, "not_a_dir", `not a folder: ${path}`);
}

/** The path without links. Its end need not exist. */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}

/**
 * Whether there is a folder at this path, or a link to one. Its entry in the folder above, if known, may save
 * a look.
 */
export async function isFolder(path: string, entry?: Dirent): Promise<boolean> {
  if (entry !== undefined && !entry.isSymbolicLink()) return entry.isDirectory();
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Whether a path is in a folder, or is that folder. Both are absolute and without links. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
