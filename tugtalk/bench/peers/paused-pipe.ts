/**
 * A pipe whose reader can stop reading. It is a named one, since Bun reads ahead from a pipe of
 * `Bun.spawn`.
 */
import { closeSync, constants, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

export type PausedPipe = {
  /** The end that a process is started with. */
  readonly fd: number;
  /** Closes `fd` here once the process has it: the pipe then ends with the process. */
  readonly closeWriter: () => void;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Stops reading at most one chunk later, until the function that it returns is called. */
  readonly pause: () => () => void;
};

const CHUNK_BYTES = 1 << 16;

let pipes = 0;

export async function openPausedPipe(folder: string): Promise<PausedPipe> {
  pipes += 1;
  const path = join(folder, `pipe-${pipes}`);
  Bun.spawnSync(["mkfifo", path]);
  // Without O_NONBLOCK, opening one end waits for the other.
  const early = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const fd = openSync(path, "w");
  const file = await open(path, "r");
  closeSync(early);
  let resumed = Promise.resolve();
  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      await resumed;
      const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK_BYTES), 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      yield buffer.subarray(0, bytesRead);
    }
    await file.close();
  }
  const pause = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    resumed = promise;
    return resolve;
  };
  return { fd, closeWriter: () => closeSync(fd), chunks: read(), pause };
}
