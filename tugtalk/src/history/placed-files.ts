/** Puts files that were collected in place: all of them or none, and over nothing that differs. */
import { link, lstat, mkdir, open, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openFile } from "./appended-lines.ts";
import { RestoreError } from "./restore-error.ts";
import type { StagedFile } from "./staged-file.ts";

/** A file that was collected. */
type Collected = Pick<StagedFile, "name" | "path" | "size">;

/** A file to be put in place. `sizeBefore`: the size of its beginning that is there, or undefined. */
type Due = { readonly file: Collected; readonly sizeBefore: number | undefined };

/** Reverses one step. */
type Undo = () => Promise<unknown>;

/** The files of agents come first: Claude finds the conversation as soon as its own file is there. */
export async function placeFiles(
  folder: string,
  staging: string,
  files: readonly Collected[],
): Promise<void> {
  const ordered = files.toSorted((one, other) => depthOf(other) - depthOf(one));
  const due: Due[] = [];
  for (const file of ordered) {
    const sizeBefore = await sizeInPlace(folder, file);
    if (sizeBefore === undefined || sizeBefore < file.size) due.push({ file, sizeBefore });
  }
  const undos: Undo[] = [];
  try {
    for (const one of due) await place(folder, staging, one, undos);
    for (const path of new Set(due.map(({ file }) => dirname(join(folder, file.name)))))
      await syncFolder(path);
  } catch (thrown) {
    for (const undo of undos.reverse()) await undo().catch(() => {});
    throw thrown;
  }
}

function depthOf({ name }: Collected): number {
  return name.split("/").length;
}

/** The size of the file that is there. Throws if one of the two files is not the beginning of the other. */
async function sizeInPlace(
  folder: string,
  { name, path, size }: Collected,
): Promise<number | undefined> {
  await refuseLinks(folder, name);
  const target = join(folder, name);
  const found = await lstat(target).catch(() => undefined);
  if (found === undefined) return undefined;
  if (!found.isFile()) throw new RestoreError("bad_name", `${target} is no plain file`);
  if (!(await hasEqualBytes(path, target, Math.min(size, found.size))))
    throw new RestoreError("differs", `${target} has other lines`);
  return found.size;
}

/** A folder on the way that is a link leads elsewhere. */
async function refuseLinks(folder: string, name: string): Promise<void> {
  const parts = dirname(name).split("/");
  for (let depth = 0; depth <= parts.length; depth += 1) {
    const path = join(folder, ...parts.slice(0, depth));
    const found = await lstat(path).catch(() => undefined);
    if (found !== undefined && !found.isDirectory())
      throw new RestoreError("bad_name", `${path} is no plain folder`);
  }
}

const CHUNK_BYTES = 1024 * 1024;

async function hasEqualBytes(one: string, other: string, size: number): Promise<boolean> {
  await using first = await openFile(one);
  await using second = await openFile(other);
  const buffers = [Buffer.alloc(CHUNK_BYTES), Buffer.alloc(CHUNK_BYTES)] as const;
  for (let at = 0; at < size; at += CHUNK_BYTES) {
    const length = Math.min(CHUNK_BYTES, size - at);
    await first.read(buffers[0], 0, length, at);
    await second.read(buffers[1], 0, length, at);
    if (!buffers[0].subarray(0, length).equals(buffers[1].subarray(0, length))) return false;
  }
  return true;
}

/** Nothing is lost that somebody has written since the comparison. */
async function place(
  folder: string,
  staging: string,
  { file: { name, path }, sizeBefore }: Due,
  undos: Undo[],
): Promise<void> {
  const target = join(folder, name);
  await makeFolder(dirname(target), undos);
  if (sizeBefore === undefined) {
    await link(path, target).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "EEXIST" ? writtenMeanwhile(target) : error;
    });
    undos.push(() => rm(target));
    return;
  }
  const before = join(staging, `before-${undos.length}`);
  await link(target, before);
  await rename(path, target);
  undos.push(() => rename(before, target));
  if ((await lstat(before)).size !== sizeBefore) throw writtenMeanwhile(target);
}

function writtenMeanwhile(target: string): RestoreError {
  return new RestoreError("differs", `${target} was written to meanwhile`);
}

async function makeFolder(path: string, undos: Undo[]): Promise<void> {
  if ((await lstat(path).catch(() => undefined)) !== undefined) return;
  await makeFolder(dirname(path), undos);
  await mkdir(path, { mode: 0o700 });
  undos.push(() => rmdir(path));
}

/** So that the names are on disk too. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path);
  await folder.sync();
}
