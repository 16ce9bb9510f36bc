/** The lines of a file of any size. Yields to the event loop so that the live session is not blocked. */
import { open } from "node:fs/promises";
import { type Line, LineSplitter } from "../base/lines.ts";

/** The longest time between two yields, in ms. */
const MAX_BLOCKED_MS = 5;

const CHUNK_BYTES = 256 * 1024;

/** Reads from an offset to the end; resolves to the length of the file. A line is valid until `onLine` returns. */
export async function readLines(
  path: string,
  onLine: (line: Line) => void,
  offset = 0,
): Promise<number> {
  let yieldedAt = performance.now();
  let end = offset;
  for await (const batch of batchesOf(path, offset)) {
    end = batch.end;
    for (const line of batch.lines) {
      onLine(line);
      if (performance.now() - yieldedAt < MAX_BLOCKED_MS) continue;
      await Bun.sleep(0);
      yieldedAt = performance.now();
    }
  }
  return end;
}

/** Whether any line passes. Reads little further than the first that does. */
export async function hasLine(path: string, passes: (line: Line) => boolean): Promise<boolean> {
  for await (const { lines } of batchesOf(path, 0)) if (lines.some(passes)) return true;
  return false;
}

type Batch = { readonly lines: readonly Line[]; readonly end: number };

/** All chunks share one buffer, so a batch is valid until the next one. */
async function* batchesOf(path: string, offset: number): AsyncGenerator<Batch> {
  await using file = await open(path);
  const splitter = new LineSplitter();
  const buffer = new Uint8Array(CHUNK_BYTES);
  let end = offset;
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, end);
    if (bytesRead === 0) break;
    end += bytesRead;
    yield { lines: splitter.feed(buffer.subarray(0, bytesRead)), end };
  }
  yield { lines: splitter.end(), end };
}
