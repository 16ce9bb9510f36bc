/** The host as a recording has it: says its lines when it is told to, and takes what it took. */
import type { HostInput } from "../src/bridge.ts";
import type { Sink } from "../src/ipc.ts";
import { isOverlong, type Line } from "../src/lines.ts";

type Piece = Awaited<ReturnType<HostInput["read"]>>;

const LF = Buffer.from("\n");

export class PlayedHost implements HostInput {
  readonly output: Sink;
  readonly #pieces: Piece[] = [];
  #news = Promise.withResolvers<void>();
  #flush: { readonly upTo: number; readonly end: PromiseWithResolvers<void> } | undefined;

  /** `waitsFor` says up to which line the piece goes that is written now, if the host did not take it at once. */
  constructor(onTold: (line: string) => void, waitsFor: () => number | undefined) {
    this.output = {
      queued: onTold,
      write: () => {},
      flush: () => {
        const upTo = waitsFor();
        if (upTo === undefined) return undefined;
        this.#flush = { upTo, end: Promise.withResolvers() };
        return this.#flush.end.promise;
      },
    };
  }

  readonly read = async (): Promise<Piece> => {
    while (this.#pieces.length === 0) {
      await this.#news.promise;
      this.#news = Promise.withResolvers<void>();
    }
    return this.#pieces.shift() ?? { done: true };
  };

  readonly cancel = async (): Promise<void> => this.end();

  /** Says lines in one piece. */
  say(lines: readonly Line[]): void {
    const bytes = lines.flatMap((line) => [bytesOf(line), LF]);
    this.#push({ done: false, value: Buffer.concat(bytes) });
  }

  end(): void {
    this.#push({ done: true });
  }

  /** Takes what it was told up to this line. */
  take(upTo: number): void {
    if (this.#flush?.upTo === upTo) this.#flush.end.resolve();
  }

  /** Takes nothing more. */
  leave(upTo: number): void {
    if (this.#flush?.upTo === upTo) this.#flush.end.reject(new Error("the host is gone"));
  }

  #push(piece: Piece): void {
    this.#pieces.push(piece);
    this.#news.resolve();
  }
}

/** Of a line that was too long only the length is known, and nothing else matters. */
function bytesOf(line: Line): Uint8Array {
  return isOverlong(line) ? Buffer.alloc(line.overlongBytes, "x") : line;
}
