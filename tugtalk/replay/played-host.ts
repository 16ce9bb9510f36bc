/** The host of a recording: sends its lines again, and reads at the recorded pace. */
import type { Line } from "../src/base/lines.ts";
import type { HostLines } from "../src/edge/host-lines.ts";
import type { Sink } from "../src/ipc.ts";
import { Queue } from "./queue.ts";

type Batch = Awaited<ReturnType<HostLines["read"]>>;

export class PlayedHost implements HostLines {
  readonly output: Sink;
  readonly #batches = new Queue<Batch>();
  #flush: { readonly upTo: number; readonly end: PromiseWithResolvers<void> } | undefined;

  /** `blockedAt` returns the number of the last line so far, if the host was slow to read up to it. */
  constructor(onEmitted: (line: string) => void, blockedAt: () => number | undefined) {
    this.output = {
      queued: onEmitted,
      write: () => {},
      flush: () => {
        const upTo = blockedAt();
        if (upTo === undefined) return undefined;
        this.#flush = { upTo, end: Promise.withResolvers() };
        return this.#flush.end.promise;
      },
    };
  }

  readonly read = (): Promise<Batch> => this.#batches.next();

  readonly cancel = async (): Promise<void> => this.end();

  /** Sends lines in one batch. */
  send(lines: readonly Line[]): void {
    this.#batches.push(lines);
  }

  end(): void {
    this.#batches.push(undefined);
  }

  /** Reads up to this line. */
  drain(upTo: number): void {
    if (this.#flush?.upTo === upTo) this.#flush.end.resolve();
  }

  /** Reads no further line. */
  leave(upTo: number): void {
    if (this.#flush?.upTo === upTo) this.#flush.end.reject(new Error("the host is gone"));
  }
}
