/** The host's questions about past conversations: answered one after the other, beside the session. */

import { SerialQueue } from "../base/serial-queue.ts";
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
  readonly #queue = new SerialQueue({ limit: MAX_HISTORY_REQUESTS });

  constructor(deps: HistoryDeps) {
    this.#deps = deps;
  }

  /** Answers with a result or with an error, later. */
  ask(request: SessionList | SessionHistory): void {
    if (this.#queue.isFull) {
      const words = `${MAX_HISTORY_REQUESTS} questions about past conversations wait already`;
      this.#refuse(request, new TugtalkError("control_rejected", words));
      return;
    }
    this.#queue.add(
      () => this.#answer(request),
      (thrown) => this.#refuse(request, thrown),
    );
  }

  /** Resolves when every question has its answer. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  async #answer(request: SessionList | SessionHistory): Promise<void> {
    // One answer at a time is in memory, however slowly the host reads.
    await this.#deps.drained();
    this.#deps.emit({ ...(await this.#deps.read(request)), ...replyTo(request) });
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
