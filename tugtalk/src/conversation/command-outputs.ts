/**
 * The outputs of local commands that the host has. After a compaction Claude prints those that it keeps
 * again, with the same uuid (V197, V330).
 */
import { BoundedSet } from "../base/bounded-map.ts";
import type { CompactBoundaryMessage } from "../protocol-types.ts";
import { isCommandOutput } from "../routing/local-commands.ts";
import type { OutboundDraft } from "../types.ts";

/** Lines that are remembered. A compaction keeps the newest ones of a conversation, which are far fewer. */
const MAX_LINES = 4096;

export class CommandOutputs {
  readonly #emitted = new BoundedSet<string>(MAX_LINES);

  /** Remembers the lines that a compaction keeps. Those of an earlier process are in the history. */
  recordCompaction({ compact_metadata }: CompactBoundaryMessage): void {
    for (const uuid of compact_metadata?.preserved_messages?.all_uuids ?? [])
      this.#emitted.add(uuid);
  }

  /** Whether a line is output that the host has. Remembers it otherwise. */
  isRepeated(uuid: string | undefined, messages: readonly OutboundDraft[]): boolean {
    if (uuid === undefined || !messages.some(isCommandOutput)) return false;
    const isRepeated = this.#emitted.has(uuid);
    this.#emitted.add(uuid);
    return isRepeated;
  }
}
