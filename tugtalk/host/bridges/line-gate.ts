/**
 * Decides when lines may be written to bridges. Each line keeps a bridge alive for its idle time. A host that
 * may be declared gone before the bridge would end writes no line, since it may be frozen next. Lines wait
 * until the host may write again.
 */
import type { LinePass } from "../../spawn/running-tugtalk.ts";

type Line = Parameters<LinePass>[0];

export class LineGate {
  readonly #now: () => number;
  /** A host that shares no database is never declared gone. */
  #goneAt = Number.POSITIVE_INFINITY;
  #held: (Line & { readonly bridgeEndMs: number })[] = [];

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * The pass for bridges that end within this time after their last line. Lines that end a bridge or a
   * channel keep none alive, and pass at once.
   */
  passFor(bridgeEndMs: number): LinePass {
    return (line) => {
      const isFirst = !this.#held.some((held) => held.bridgeEndMs === bridgeEndMs);
      if (isFirst && (line.isEnd || this.#mayWrite(bridgeEndMs))) line.write();
      else this.#held.push({ ...line, bridgeEndMs });
    };
  }

  /** The time after which other hosts may take the sessions of this one. */
  setGoneAt(time: number): void {
    this.#goneAt = time;
    const { may = [], wait = [] } = Object.groupBy(this.#held, ({ bridgeEndMs }) =>
      this.#mayWrite(bridgeEndMs) ? "may" : "wait",
    );
    this.#held = wait;
    for (const { write } of may) write();
  }

  /** The host holds no session any more: the waiting lines of its sessions must not reach a bridge. */
  drop(): void {
    this.#goneAt = Number.NEGATIVE_INFINITY;
    for (const { write, isEnd } of this.#held.splice(0)) if (isEnd) write();
  }

  #mayWrite(bridgeEndMs: number): boolean {
    return this.#now() <= this.#goneAt - bridgeEndMs;
  }
}
