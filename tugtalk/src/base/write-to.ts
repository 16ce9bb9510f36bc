/** One write to a pipe. */

/** A pipe; a `Bun.FileSink` is one. */
export type Pipe = {
  readonly write: (chunk: string) => unknown;
  readonly flush: () => unknown;
};

/** Resolves when the pipe has taken the chunk; undefined if it has. Throws or rejects where the pipe is broken. */
export function writeTo(pipe: Pipe, chunk: string): Promise<unknown> | undefined {
  // Both fail where the pipe is broken, each by itself.
  const [written, flushed] = [pipe.write(chunk), pipe.flush()];
  const isTaken = !(written instanceof Promise || flushed instanceof Promise);
  return isTaken ? undefined : Promise.all([written, flushed]);
}
