/**
 * Room that is kept beside the journal for a full disk: what is deleted is written to the log first. Larger
 * than the log, which on a full disk may be all that has the latest pages.
 */
import { randomFillSync } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { open, statfs, truncate } from "node:fs/promises";
import { dirname } from "node:path";

const MIB = 1024 * 1024;
/** How many times what it takes must be free. */
const MIN_FREE = 3;

export class Reserve {
  readonly #file: string;
  readonly #log: string;
  #bytes: number;
  #isBusy = false;

  /** Beside the journal at this path. */
  constructor(path: string) {
    this.#file = `${path}-reserve`;
    this.#log = `${path}-wal`;
    this.#bytes = bytesOf(this.#file);
  }

  /** Makes or enlarges it where that is due, after a commit. */
  keep(): void {
    const needed = 1.25 * bytesOf(this.#log);
    if (this.#isBusy || needed <= this.#bytes) return;
    this.#isBusy = true;
    void this.#make(MIB * 2 ** Math.max(0, Math.ceil(Math.log2(needed / MIB))));
  }

  /** Gives the room back to the disk. */
  spend(): void {
    rmSync(this.#file, { force: true });
    this.#bytes = 0;
    this.#isBusy = false;
  }

  /** Where the disk has little room, it stays as it was, and that is not tried again. */
  async #make(bytes: number): Promise<void> {
    try {
      const { bavail, bsize } = await statfs(dirname(this.#file));
      // Commits need room at the same time.
      if (bavail * bsize < MIN_FREE * (bytes - this.#bytes)) return;
      await enlarge(this.#file, this.#bytes, bytes);
      this.#bytes = bytes;
      this.#isBusy = false;
    } catch {
      await truncate(this.#file, this.#bytes).catch(() => {
        // The folder is gone.
      });
    }
  }
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function enlarge(path: string, from: number, to: number): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    // Of zeros, and of repeated pieces, some file systems keep nothing.
    for (let done = from; done < to; done += MIB)
      await file.write(randomFillSync(Buffer.alloc(MIB)));
  } finally {
    await file.close();
  }
}
