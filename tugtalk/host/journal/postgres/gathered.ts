/**
 * Gathers database work of many sessions into few statements: while one statement runs, new work waits and
 * then goes together in the next one. Each piece of work succeeds or fails by itself.
 */
import { UnreachableJournalError } from "../journal-error.ts";

/** The data of one statement at most, unless its first piece of work alone has more. */
const MAX_CHARS = 4 * 1024 * 1024;

export type GatheredPorts<Work, Answer> = {
  /**
   * Sends one statement. Gives a function that returns the answer of a piece of work; it is called once for
   * each piece, in order.
   */
  readonly send: (all: readonly Work[]) => Promise<(one: Work) => Answer>;
  /** How much data is sent or read for a piece of work. */
  readonly charsOf: (one: Work) => number;
};

type Waiting<Work, Answer> = Omit<PromiseWithResolvers<Answer>, "promise"> & {
  readonly work: Work;
};

export class Gathered<Work, Answer> {
  readonly #ports: GatheredPorts<Work, Answer>;
  #waiting: Waiting<Work, Answer>[] = [];
  #isUnderWay = false;
  #next: NodeJS.Immediate | undefined;

  constructor(ports: GatheredPorts<Work, Answer>) {
    this.#ports = ports;
  }

  add(work: Work): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.push({ work, resolve, reject });
    this.#schedule();
    return promise;
  }

  /** Waits until all work of the same turn of the loop has come. */
  #schedule(): void {
    if (this.#waiting.length === 0 || this.#isUnderWay) return;
    this.#next ??= setImmediate(() => {
      this.#next = undefined;
      void this.#send(this.#takeSome());
    });
  }

  #takeSome(): readonly Waiting<Work, Answer>[] {
    let chars = 0;
    const end = this.#waiting.findIndex(({ work }, at) => {
      chars += this.#ports.charsOf(work);
      return at > 0 && chars > MAX_CHARS;
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  async #send(some: readonly Waiting<Work, Answer>[]): Promise<void> {
    this.#isUnderWay = true;
    await this.#settle(some);
    this.#isUnderWay = false;
    this.#schedule();
  }

  async #settle(some: readonly Waiting<Work, Answer>[]): Promise<void> {
    try {
      const answerOf = await this.#ports.send(some.map(({ work }) => work));
      for (const { work, resolve } of some) resolve(answerOf(work));
    } catch (error) {
      // A commit that fails must not fail the commits of other sessions.
      if (some.length > 1 && !(error instanceof UnreachableJournalError))
        for (const one of some) await this.#settle([one]);
      else for (const { reject } of some) reject(error);
    }
  }
}
