/** The lines of a file of any size. Yields to the event loop so that the live session is not blocked. */
import { open } from "node:fs/promises";
import { type Line, LineSplitter } from "../base/lines.ts";

/** The longest time between two yields, in ms. */
const MAX_BLOCKED_MS = 5;

const CHUNK_BYTES = 256 * 1024;

/**
 * Reads from an offset to the end, or to the limit, or until `onLine` returns "stop". Resolves to the offset
 * that it has read to. A line is valid until `onLine` returns: all chunks share one buffer.
 */
export async function readLines(
  path: string,
  onLine: (line: Line) => "stop" | undefined,
  offset = 0,
  limit = Number.POSITIVE_INFINITY,
): Promise<number> {
  await using file = await open(path);
  const splitter = new LineSplitter();
  const buffer = new Uint8Array(CHUNK_BYTES);
  let end = offset;
  let yieldedAt = performance.now();
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, limit - end), end);
    end += bytesRead;
    const lines = bytesRead === 0 ? splitter.end() : splitter.feed(buffer.subarray(0, bytesRead));
    for (const line of lines) {
      if (onLine(line) === "stop") return end;
      if (performance.now() - yieldedAt < MAX_BLOCKED_MS) continue;
      await Bun.sleep(0);
      yieldedAt = performance.now();
    }
    if (bytesRead === 0) return end;
  }
}

/** Whether any line passes. Reads little further than the first that does. */
export async function hasLine(path: string, passes: (line: Line) => boolean): Promise<boolean> {
  let isFound = false;
  await readLines(path, (line) => {
    isFound = passes(line);
    return isFound ? "stop" : undefined;
  });
  return isFound;
}
