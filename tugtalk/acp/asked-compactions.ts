/**
 * In a transcript, the command `/compact` follows its compaction. A client gets the command first, as the
 * user sent it. Pure, except for the messages that are held.
 */
import type { OutboundDraft } from "../src/types.ts";

const COMMAND = /^\/compact(?:\s|$)/;

export class AskedCompactions {
  /** A compaction that the user asked for, and the messages that follow it, until the command. */
  #held: OutboundDraft[] = [];

  /** Takes a message of a transcript. Returns the messages to send now. */
  take(message: OutboundDraft): readonly OutboundDraft[] {
    if (message.type === "compact_boundary" && message.trigger === "manual")
      return this.#exchange([message]);
    if (this.#held.length === 0) return [message];
    if (message.type !== "user_text" || message.kind !== "history") {
      this.#held.push(message);
      return [];
    }
    const held = this.#exchange([]);
    return COMMAND.test(message.text) ? [message, ...held] : [...held, message];
  }

  /** The messages that are held at the end of the transcript. */
  rest(): readonly OutboundDraft[] {
    return this.#exchange([]);
  }

  #exchange(next: OutboundDraft[]): readonly OutboundDraft[] {
    const held = this.#held;
    this.#held = next;
    return held;
  }
}
