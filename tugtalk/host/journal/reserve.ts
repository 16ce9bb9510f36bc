/**
 * A file beside the journal whose room is freed when the disk is full: SQLite writes deletions to the log
 * first. The file is larger than the log, since on a full disk the log alone may have the latest pages.
 */
import { randomFillSync } from "node:crypto";
import {
  closeSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

const MIB = 1024 * 1024;
/** The file is enlarged only if the disk has this multiple of the added bytes free. */
const MIN_FREE = 3;

export class Reserve {
  readonly #file: string;
  readonly #log: string;
  #bytes: number;
  #hasRoom = true;

  /** Takes the path of the journal. */
  constructor(path: string) {
    this.#file = `${path}-reserve`;
    this.#log = `${path}-wal`;
    this.#bytes = bytesOf(this.#file);
  }

  /**
   * Makes or enlarges the file if that is due, after a commit. With little room on the disk, it stays as it
   * is.
   */
  keep(): void {
    const needed = 1.25 * bytesOf(this.#log);
    if (!this.#hasRoom || needed <= this.#bytes) return;
    // Twice as large each time, so that it is seldom due.
    const bytes = MIB * 2 ** Math.max(0, Math.ceil(Math.log2(needed / MIB)));
    this.#hasRoom = enlarge(this.#file, this.#bytes, bytes);
    if (this.#hasRoom) this.#bytes = bytes;
  }

  /** Gives the room back to the disk. */
  spend(): void {
    rmSync(this.#file, { force: true });
    this.#bytes = 0;
    this.#hasRoom = true;
  }
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** False where there is no room. */
function enlarge(path: string, from: number, to: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    // Commits need room at the same time.
    if (bavail * bsize < MIN_FREE * (to - from)) return false;
    append(path, to - from);
    return true;
  } catch {
    if (bytesOf(path) > from) truncateSync(path, from);
    return false;
  }
}

/** Writes random bytes: of zeros or repeated pieces some file systems store nothing. */
function append(path: string, bytes: number): void {
  const file = openSync(path, "a", 0o600);
  try {
    for (let done = 0; done < bytes; done += MIB)
      writeSync(file, randomFillSync(Buffer.alloc(MIB)));
  } finally {
    closeSync(file);
  }
}
