/**
 * Lines that Claude prints twice and a host gets once. They are the output of a local command that a
 * compaction keeps, with the same uuid (V197, V330), and the end of a compaction that failed.
 */
import { BoundedSet } from "../base/bounded-map.ts";
import type { CompactBoundaryMessage } from "../protocol-types.ts";
import { isCommandOutput } from "../routing/local-commands.ts";
import type { SystemMessage } from "../routing/router.ts";
import type { OutboundDraft } from "../types.ts";

/** Lines that are remembered. A compaction keeps the newest ones of a conversation, which are far fewer. */
const MAX_LINES = 4096;

export class Reprints {
  readonly #outputs = new BoundedSet<string>(MAX_LINES);
  #hasEnded = false;

  /** Remembers the lines that a compaction keeps. The history has the lines of earlier processes. */
  recordCompaction({ compact_metadata }: CompactBoundaryMessage): void {
    for (const uuid of compact_metadata?.preserved_messages?.all_uuids ?? [])
      this.#outputs.add(uuid);
  }

  /** Whether a line is output that the host has. Remembers it otherwise. */
  isRepeated(uuid: string | undefined, messages: readonly OutboundDraft[]): boolean {
    if (uuid === undefined || !messages.some(isCommandOutput)) return false;
    const isRepeated = this.#outputs.has(uuid);
    this.#outputs.add(uuid);
    return isRepeated;
  }

  /** The messages of a line, without an end that was emitted since the last compaction or turn began. */
  withoutRepeatedEnd(event: SystemMessage, messages: OutboundDraft[]): OutboundDraft[] {
    const begins =
      event.subtype === "status" ? event.status === "compacting" : event.subtype === "init";
    if (begins) this.#hasEnded = false;
    const isEnd = messages.some(({ type }) => type === "compaction_result");
    const isRepeated = isEnd && this.#hasEnded;
    this.#hasEnded ||= isEnd;
    return isRepeated ? [] : messages;
  }
}
