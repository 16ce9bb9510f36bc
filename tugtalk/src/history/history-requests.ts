/** The host's requests about past conversations: answered one after the other, beside the session. */
import { SerialQueue } from "../base/serial-queue.ts";
import { definedFields, replyTo } from "../messages/envelope.ts";
import { errorMessage, TugtalkError } from "../messages/errors.ts";
import type { SessionHistory, SessionList } from "../messages/history-messages.ts";
import type { OutboundDraft } from "../types.ts";

/** The most requests that are open; a further one is rejected. */
export const MAX_HISTORY_REQUESTS = 64;

export type HistoryDeps = {
  readonly read: (request: SessionList | SessionHistory) => Promise<OutboundDraft>;
  readonly emit: (message: OutboundDraft) => void;
  /** See `HostWriter.flush`. */
  readonly flush: () => Promise<void> | undefined;
};

export class HistoryRequests {
  readonly #deps: HistoryDeps;
  readonly #queue = new SerialQueue({ limit: MAX_HISTORY_REQUESTS });

  constructor(deps: HistoryDeps) {
    this.#deps = deps;
  }

  /** Emits a result or an error later. */
  add(request: SessionList | SessionHistory): void {
    if (this.#queue.isFull) {
      const message = `${MAX_HISTORY_REQUESTS} requests about past conversations wait already`;
      this.#reject(request, new TugtalkError("control_rejected", message));
      return;
    }
    this.#queue.add(
      () => this.#answer(request),
      (thrown) => this.#reject(request, thrown),
    );
  }

  /** Resolves when every request has its answer. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  async #answer(request: SessionList | SessionHistory): Promise<void> {
    // Keeps one answer at a time in memory, however slowly the host reads.
    await this.#deps.flush();
    this.#deps.emit({ ...(await this.#deps.read(request)), ...replyTo(request) });
  }

  #reject(request: SessionList | SessionHistory, thrown: unknown): void {
    const { code, message, reason } = TugtalkError.from(thrown);
    // A missing folder is no failed start: nothing is started here.
    const shown = code === "claude_start_failed" ? "internal" : code;
    const details = definedFields({ source: "host" as const, reason, ...replyTo(request) });
    this.#deps.emit(errorMessage(shown, message, details));
  }
}
