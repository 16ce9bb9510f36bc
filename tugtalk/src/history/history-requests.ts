/** The host's questions about past conversations: answered one after the other, beside the session. */

import { replyTo } from "../messages/envelope.ts";
import { TugtalkError } from "../messages/errors.ts";
import type { SessionHistory, SessionList } from "../messages/history-messages.ts";
import type { OutboundDraft } from "../types.ts";

/** Questions that may wait; a further one is refused. */
export const MAX_HISTORY_REQUESTS = 64;

export type HistoryDeps = {
  readonly read: (request: SessionList | SessionHistory) => Promise<OutboundDraft>;
  readonly emit: (message: OutboundDraft) => void;
  /** See `HostWriter.drained`. */
  readonly drained: () => Promise<void> | undefined;
};

export class HistoryRequests {
  readonly #deps: HistoryDeps;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(deps: HistoryDeps) {
    this.#deps = deps;
  }

  /** Answers with a result or with an error, later. */
  ask(request: SessionList | SessionHistory): void {
    if (this.#waiting >= MAX_HISTORY_REQUESTS) {
      const words = `${MAX_HISTORY_REQUESTS} questions about past conversations wait already`;
      this.#refuse(request, new TugtalkError("control_rejected", words));
      return;
    }
    this.#waiting += 1;
    this.#last = this.#last.then(() => this.#answer(request));
  }

  /** Resolves when every question has its answer. */
  settled(): Promise<void> {
    return this.#last;
  }

  async #answer(request: SessionList | SessionHistory): Promise<void> {
    // One answer at a time is in memory, however slowly the host reads.
    await this.#deps.drained();
    try {
      this.#deps.emit({ ...(await this.#deps.read(request)), ...replyTo(request) });
    } catch (thrown) {
      this.#refuse(request, thrown);
    }
    this.#waiting -= 1;
  }

  #refuse(request: SessionList | SessionHistory, thrown: unknown): void {
    const { code, message, reason } = TugtalkError.from(thrown);
    this.#deps.emit({
      type: "error",
      // Nothing is started here: a folder that has gone is no failed start.
      code: code === "claude_start_failed" ? "internal" : code,
      message,
      recoverable: true,
      source: "host",
      ...(reason !== undefined && { reason }),
      ...replyTo(request),
    });
  }
}
