/** Which transcripts a folder holds, by when they were written to. None is opened. Protocol reference §7. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** The name of a transcript; the id of its conversation is the first group. */
const TRANSCRIPT = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/;

/** Files that are looked at together, so that the session in hand is heard in between. */
const AT_ONCE = 256;

/** One transcript: `at` is when it was written to last, in ms. */
export type Dated = {
  readonly id: string;
  readonly path: string;
  readonly at: number;
  readonly bytes: number;
};

/** All of a folder, the one that was written to last first. */
export async function datedTranscripts(folder: string): Promise<Dated[]> {
  const names = await readdir(folder).catch(() => []);
  const ids = names.flatMap((name) => TRANSCRIPT.exec(name)?.[1] ?? []);
  const dated = await inBatches(ids, (id) => dateOf(id, join(folder, `${id}.jsonl`)));
  return dated.flatMap((one) => one ?? []).sort(newestFirst);
}

/** A link is not followed: nobody says where it leads. */
async function dateOf(id: string, path: string): Promise<Dated | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  return { id, path, at: Math.trunc(found.mtimeMs), bytes: found.size };
}

/** The order of transcripts, also of those that were written to in the same millisecond. */
export function newestFirst(
  one: Pick<Dated, "id" | "at">,
  other: Pick<Dated, "id" | "at">,
): number {
  if (one.at !== other.at) return other.at - one.at;
  return one.id < other.id ? 1 : -1;
}

/** What the work gives for each item, in their order; not all is begun at once. */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  return results;
}
