/**
 * Fair turns between bridges that share a writer. After a number of characters every pipe has its turn,
 * so each flood stays ahead by no more than that and one batch.
 */
import type { HostWriter } from "../ipc.ts";

/** The most characters that are written before every pipe has its turn; the rest of a batch follows. */
const CHARS_IN_TURN = 64 * 1024;

/** Resolves when every pipe that has something to read has had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/**
 * The writer's `flush` for bridges that share it: resolves when all is written, and every pipe had its
 * turn if one is due; undefined if that is so.
 */
export function openFairFlush(
  writer: Pick<HostWriter, "flush" | "total">,
  turn: () => Promise<void>,
): HostWriter["flush"] {
  let total = 0;
  // Without a turn in between, a Claude that floods is read as long as its pipe is full.
  const turnAfter = async (writing: Promise<void> | undefined): Promise<void> => {
    await writing;
    await turn();
  };
  return () => {
    const writing = writer.flush();
    const now = writer.total();
    if (now - total < CHARS_IN_TURN) return writing;
    total = now;
    return turnAfter(writing);
  };
}
