/**
 * The lines of one transcript on disk, of any size, one after the other. Lets go of the loop in
 * between, so that the session in hand is heard.
 */
import { open } from "node:fs/promises";
import { type Line, LineSplitter } from "../base/lines.ts";

/** How long the loop may be held at a stretch, in ms. */
const HOLD_MS = 5;

/** How much is read at once. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Gives each line from an offset on; resolves to the length of the file, in bytes. A line is good only
 * until `take` returns.
 */
export async function readLines(
  path: string,
  take: (line: Line) => void,
  from = 0,
): Promise<number> {
  let heldSince = performance.now();
  let end = from;
  for await (const batch of batchesOf(path, from)) {
    end = batch.end;
    for (const line of batch.lines) {
      take(line);
      if (performance.now() - heldSince < HOLD_MS) continue;
      await Bun.sleep(0);
      heldSince = performance.now();
    }
  }
  return end;
}

/** Whether any line of a file passes. Reads little further than the first that does. */
export async function hasLine(path: string, passes: (line: Line) => boolean): Promise<boolean> {
  // Each read lets go of the loop, and the lines of one batch hold it no longer than they may.
  for await (const { lines } of batchesOf(path, 0)) if (lines.some(passes)) return true;
  return false;
}

type Batch = { readonly lines: readonly Line[]; readonly end: number };

/** One buffer for the whole file: what it held is taken before it is filled again. */
async function* batchesOf(path: string, from: number): AsyncGenerator<Batch> {
  await using file = await open(path);
  const splitter = new LineSplitter();
  const buffer = new Uint8Array(CHUNK_BYTES);
  let end = from;
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, end);
    if (bytesRead === 0) break;
    end += bytesRead;
    yield { lines: splitter.feed(buffer.subarray(0, bytesRead)), end };
  }
  yield { lines: splitter.end(), end };
}
