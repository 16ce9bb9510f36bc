/** The host as a recording has it: sends its lines when it is told to, and takes what it took. */
import type { Line } from "../src/base/lines.ts";
import type { HostLines } from "../src/edge/host-lines.ts";
import type { Sink } from "../src/ipc.ts";
import { Queue } from "./queue.ts";

type Batch = Awaited<ReturnType<HostLines["read"]>>;

export class PlayedHost implements HostLines {
  readonly output: Sink;
  readonly #batches = new Queue<Batch>();
  #flush: { readonly upTo: number; readonly end: PromiseWithResolvers<void> } | undefined;

  /** `waitsFor` says up to which line the piece goes that is written, if the host did not take it at once. */
  constructor(onSent: (line: string) => void, waitsFor: () => number | undefined) {
    this.output = {
      queued: onSent,
      write: () => {},
      flush: () => {
        const upTo = waitsFor();
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

  /** Takes what it was sent up to this line. */
  take(upTo: number): void {
    if (this.#flush?.upTo === upTo) this.#flush.end.resolve();
  }

  /** Takes nothing more. */
  leave(upTo: number): void {
    if (this.#flush?.upTo === upTo) this.#flush.end.reject(new Error("the host is gone"));
  }
}
