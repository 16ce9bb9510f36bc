/** The host as a recording has it: sends its lines when it is told to, and takes what it took. */

import { isOverlong, type Line } from "../src/base/lines.ts";
import type { HostInput } from "../src/edge/bridge.ts";
import type { Sink } from "../src/ipc.ts";
import { Queue } from "./queue.ts";

type Piece = Awaited<ReturnType<HostInput["read"]>>;

const LF = Buffer.from("\n");

export class PlayedHost implements HostInput {
  readonly output: Sink;
  readonly #pieces = new Queue<Piece>();
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

  readonly read = (): Promise<Piece> => this.#pieces.next();

  readonly cancel = async (): Promise<void> => this.end();

  /** Sends lines in one piece. */
  send(lines: readonly Line[]): void {
    // Of a line that was too long only the length counts.
    const bytes = lines.flatMap((line) => [
      isOverlong(line) ? Buffer.alloc(line.overlongBytes, "x") : line,
      LF,
    ]);
    this.#pieces.push({ done: false, value: Buffer.concat(bytes) });
  }

  end(): void {
    this.#pieces.push({ done: true });
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
