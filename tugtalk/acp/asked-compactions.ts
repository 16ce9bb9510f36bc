/**
 * Claude writes the command `/compact` behind the compaction that it asks for. A client has it before that, as
 * it was sent. Pure, but for the messages that are held.
 */
import type { OutboundDraft } from "../src/types.ts";

const COMMAND = /^\/compact(?:\s|$)/;

export class AskedCompactions {
  /** A compaction that was asked for, with all that follows it, until the command. */
  #held: OutboundDraft[] = [];

  /** Takes a message of a transcript; those that are to be sent now. */
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

  /** Those that are left at the end. */
  rest(): readonly OutboundDraft[] {
    return this.#exchange([]);
  }

  #exchange(next: OutboundDraft[]): readonly OutboundDraft[] {
    const held = this.#held;
    this.#held = next;
    return held;
  }
}
