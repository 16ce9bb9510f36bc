/** Puts files that were collected in place: all of them or none, and over nothing that differs. */
import { link, lstat, mkdir, open, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openFile } from "./appended-lines.ts";
import { RestoreError } from "./restore-error.ts";
import type { StagedFile } from "./staged-file.ts";

/** Takes back one step. */
type Undo = () => Promise<unknown>;

/** Those of agents come first: the conversation is found once its own file is there. */
export async function placeFiles(
  folder: string,
  staging: string,
  files: readonly StagedFile[],
): Promise<void> {
  const ordered = files.toSorted((one, other) => depthOf(other) - depthOf(one));
  const due: StagedFile[] = [];
  for (const file of ordered) if (await mustPlace(folder, file)) due.push(file);
  const undos: Undo[] = [];
  try {
    for (const file of due) await place(folder, staging, file, undos);
    for (const path of new Set(due.map(({ name }) => dirname(join(folder, name)))))
      await syncFolder(path);
  } catch (thrown) {
    for (const undo of undos.reverse()) await undo().catch(() => {});
    throw thrown;
  }
}

function depthOf({ name }: StagedFile): number {
  return name.split("/").length;
}

/** Whether the file is not there, or only its beginning is. Throws where another is. */
async function mustPlace(folder: string, { name, path, size }: StagedFile): Promise<boolean> {
  await refuseLinks(folder, name);
  const target = join(folder, name);
  const found = await lstat(target).catch(() => undefined);
  if (found === undefined) return true;
  if (!found.isFile()) throw new RestoreError("bad_name", `${target} is no plain file`);
  if (!(await hasEqualBytes(path, target, Math.min(size, found.size))))
    throw new RestoreError("differs", `${target} has other lines`);
  return found.size < size;
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

async function place(
  folder: string,
  staging: string,
  { name, path }: StagedFile,
  undos: Undo[],
): Promise<void> {
  const target = join(folder, name);
  await makeFolder(dirname(target), undos);
  const before = join(staging, `before-${undos.length}`);
  const hasBefore = (await lstat(target).catch(() => undefined)) !== undefined;
  if (hasBefore) await link(target, before);
  await rename(path, target);
  undos.push(() => (hasBefore ? rename(before, target) : rm(target)));
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
