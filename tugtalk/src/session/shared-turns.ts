/**
 * Which of the host's messages shared a turn. Claude merges messages into one line of its transcript,
 * and 2.1.197 writes down the id of the last one only. Protocol reference §7.
 */
import { BoundedMap } from "../base/bounded-map.ts";
import type { OutboundDraft } from "../types.ts";

/** How many messages are remembered. */
const REMEMBERED_MESSAGES = 4096;

export class SharedTurns {
  /** For each message the next one of the same turn. */
  readonly #next = new BoundedMap<string, string>(REMEMBERED_MESSAGES);
  #newest: { readonly turn_id?: string | undefined; readonly message_id: string } | undefined;

  /**
   * Reads final receipts. The receipts of a turn come together, in the order in which Claude got its
   * messages.
   */
  record(message: OutboundDraft): void {
    if (message.type !== "message_status" || message.status === "started") return;
    if (message.turn_id === undefined) return;
    if (this.#newest?.turn_id === message.turn_id)
      this.#next.set(this.#newest.message_id, message.message_id);
    this.#newest = message;
  }

  /** The messages after this one in its turn, in order. */
  after(messageId: string): string[] {
    const ids: string[] = [];
    let next = this.#next.get(messageId);
    while (next !== undefined) {
      ids.push(next);
      next = this.#next.get(next);
    }
    return ids;
  }
}
