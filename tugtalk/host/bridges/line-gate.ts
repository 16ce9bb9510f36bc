/**
 * When lines may be written to bridges. Each line keeps a bridge alive for its idle time. A host that
 * may be counted as gone before the bridge would end writes no line, since it may be frozen next.
 * Lines wait until the host may write again.
 */
import type { LinePass } from "../../spawn/running-tugtalk.ts";

type Line = Parameters<LinePass>[0];

export class LineGate {
  readonly #now: () => number;
  /** A host that shares no database is never counted as gone. */
  #goneAt = Number.POSITIVE_INFINITY;
  #held: (Line & { readonly bridgeEndMs: number })[] = [];

  /** `now`: milliseconds of a clock that only goes on. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** For bridges that end so long after their last line. What ends one, or a channel, keeps nothing alive. */
  passFor(bridgeEndMs: number): LinePass {
    return (line) => {
      const isFirst = !this.#held.some((held) => held.bridgeEndMs === bridgeEndMs);
      if (isFirst && (line.isEnd || this.#mayWrite(bridgeEndMs))) line.write();
      else this.#held.push({ ...line, bridgeEndMs });
    };
  }

  /** From when on other hosts may take what this one holds. */
  setGoneAt(time: number): void {
    this.#goneAt = time;
    const { may = [], wait = [] } = Object.groupBy(this.#held, ({ bridgeEndMs }) =>
      this.#mayWrite(bridgeEndMs) ? "may" : "wait",
    );
    this.#held = wait;
    for (const { write } of may) write();
  }

  /** The host holds nothing any more: what its sessions have said is not to reach a bridge. */
  drop(): void {
    this.#goneAt = Number.NEGATIVE_INFINITY;
    for (const { write, isEnd } of this.#held.splice(0)) if (isEnd) write();
  }

  #mayWrite(bridgeEndMs: number): boolean {
    return this.#now() <= this.#goneAt - bridgeEndMs;
  }
}
