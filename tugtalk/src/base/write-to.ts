/** One write to a pipe. */

/** A pipe; a `Bun.FileSink` is one. */
export type Pipe = {
  readonly write: (chunk: string) => unknown;
  readonly flush: () => unknown;
};

/** Resolves when the pipe has taken the chunk; undefined if it has. Throws or rejects where the pipe is broken. */
export function writeTo(pipe: Pipe, chunk: string): Promise<unknown> | undefined {
  const written = pipe.write(chunk);
  if (!(written instanceof Promise)) {
    const flushed = pipe.flush();
    return flushed instanceof Promise ? flushed : undefined;
  }
  // Where the pipe is broken both fail, each by itself: here by a rejection, there by a throw.
  return Promise.all([written, Promise.try(() => pipe.flush())]);
}
