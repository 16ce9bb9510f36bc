/** The host's requests about past conversations: answered one after the other, beside the session. */
import { SerialQueue } from "../base/serial-queue.ts";
import { definedFields, replyTo } from "../messages/envelope.ts";
import { errorMessage, TugtalkError } from "../messages/errors.ts";
import type { TranscriptRestore } from "../messages/transcript-messages.ts";
import type { OutboundDraft } from "../types.ts";
import type { PastRequest } from "./past-conversations.ts";

/** The most requests that are open; a further one is rejected. */
export const MAX_HISTORY_REQUESTS = 64;

/** The most characters of files that wait to be written. One message alone may have more. */
const MAX_RESTORED_CHARS = 64 * 1024 * 1024;

export type HistoryDeps = {
  readonly read: (request: PastRequest) => Promise<OutboundDraft>;
  readonly emit: (message: OutboundDraft) => void;
  /** See `HostWriter.flush`. */
  readonly flush: () => Promise<void> | undefined;
};

export class HistoryRequests {
  readonly #deps: HistoryDeps;
  /** Files that are not written yet: how many messages, and how many characters. */
  readonly #restoring = { messages: 0, chars: 0 };
  readonly #queue = new SerialQueue({ limit: MAX_HISTORY_REQUESTS });

  constructor(deps: HistoryDeps) {
    this.#deps = deps;
  }

  /** Emits a result or an error later. */
  add(request: PastRequest): void {
    if (this.#queue.isFull) {
      const message = `${MAX_HISTORY_REQUESTS} requests about past conversations wait already`;
      this.#reject(request, new TugtalkError("control_rejected", message));
      return;
    }
    if (request.type === "transcript_restore") this.#addRestore(request);
    else this.#enqueue(request, () => this.#answer(request));
  }

  #addRestore(request: TranscriptRestore): void {
    const restoring = this.#restoring;
    const chars = charsOf(request);
    if (restoring.messages > 0 && restoring.chars + chars > MAX_RESTORED_CHARS) {
      const message = "too much of a conversation waits to be written already";
      this.#reject(request, new TugtalkError("control_rejected", message));
      return;
    }
    restoring.messages += 1;
    restoring.chars += chars;
    this.#enqueue(request, async () => {
      await this.#answer(request).finally(() => {
        restoring.messages -= 1;
        restoring.chars -= chars;
      });
    });
  }

  #enqueue(request: PastRequest, answer: () => Promise<void>): void {
    this.#queue.add(answer, (thrown) => this.#reject(request, thrown));
  }

  /** Resolves when every file that the host has sent is written or refused; undefined if that is so. */
  restored(): Promise<void> | undefined {
    return this.#restoring.messages > 0 ? this.settled() : undefined;
  }

  /** Resolves when every request has its answer. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  async #answer(request: PastRequest): Promise<void> {
    // Keeps one answer at a time in memory, however slowly the host reads.
    await this.#deps.flush();
    this.#deps.emit({ ...(await this.#deps.read(request)), ...replyTo(request) });
  }

  #reject(request: PastRequest, thrown: unknown): void {
    const { code, message, reason } = TugtalkError.from(thrown);
    // A missing folder is no failed start: nothing is started here.
    const shown = code === "claude_start_failed" ? "internal" : code;
    const details = definedFields({ source: "host" as const, reason, ...replyTo(request) });
    this.#deps.emit(errorMessage(shown, message, details));
  }
}

function charsOf({ files }: TranscriptRestore): number {
  return files.flatMap(({ lines }) => lines).reduce((sum, line) => sum + line.length, 0);
}
