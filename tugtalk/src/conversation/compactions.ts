/** The ends of compactions, each told once: Claude can print that of a failed one twice. */
import type { SystemMessage } from "../routing/router.ts";
import type { OutboundDraft } from "../types.ts";

export class Compactions {
  #isEnded = false;

  /** The messages of a line, without an end that was told since the last compaction or turn began. */
  withoutRepeats(event: SystemMessage, messages: OutboundDraft[]): OutboundDraft[] {
    const begins =
      event.subtype === "status" ? event.status === "compacting" : event.subtype === "init";
    if (begins) this.#isEnded = false;
    return messages.filter(({ type }) => {
      if (type !== "compaction_result") return true;
      const isRepeated = this.#isEnded;
      this.#isEnded = true;
      return !isRepeated;
    });
  }
}
