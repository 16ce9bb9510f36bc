/**
 * Which lines of a transcript are the conversation in force, and in which order. A transcript is a
 * tree: branches that were left stay in it, parallel tools make short ones, and lines may be written
 * before those that they follow. Protocol reference §7.
 */
import type { TranscriptLine } from "./transcript-line.ts";

/** The lines of the newest branch with all that hangs on it, each after the one that it follows. */
export function orderConversation(lines: readonly TranscriptLine[]): TranscriptLine[] {
  const tree = new Tree(lines);
  const kept = tree.branch();
  addParallel(tree.lines, kept);
  addCompactions(tree.lines, kept);
  return tree.ordered(kept);
}

class Tree {
  /** Each line once: a line that is written again is the same one. */
  readonly lines: readonly TranscriptLine[];
  readonly #byUuid = new Map<string, TranscriptLine>();
  readonly #before = new Map<TranscriptLine, TranscriptLine | undefined>();

  constructor(lines: readonly TranscriptLine[]) {
    let last: TranscriptLine | undefined;
    for (const line of lines) {
      if (this.#byUuid.has(line.uuid)) continue;
      this.#byUuid.set(line.uuid, line);
      this.#before.set(line, last);
      last = line;
    }
    this.lines = [...this.#byUuid.values()];
  }

  /** What a line follows. Where that one is lost, the one written before stands in for it. */
  parentOf(line: TranscriptLine): TranscriptLine | undefined {
    if (line.parent === undefined) return undefined;
    return this.#byUuid.get(line.parent) ?? this.#before.get(line);
  }

  /** From the newest line to the first. */
  branch(): Set<TranscriptLine> {
    const kept = new Set<TranscriptLine>();
    let line = this.#newest();
    while (line !== undefined && !kept.has(line)) {
      kept.add(line);
      line = this.parentOf(line);
    }
    return kept;
  }

  /** The last line, or what was written before it and still follows it. */
  #newest(): TranscriptLine | undefined {
    const followers = new Map(this.lines.map((line) => [this.parentOf(line), line]));
    const seen = new Set<TranscriptLine>();
    let line = this.lines.at(-1);
    while (line !== undefined && !seen.has(line)) {
      seen.add(line);
      line = followers.get(line) ?? line;
    }
    return line;
  }

  /** As they were written, but none before the one that it follows. */
  ordered(kept: ReadonlySet<TranscriptLine>): TranscriptLine[] {
    const placed = new Set<TranscriptLine>();
    for (const line of this.lines) {
      if (!kept.has(line)) continue;
      for (const next of this.#missing(line, kept, placed)) placed.add(next);
    }
    return [...placed];
  }

  #missing(
    line: TranscriptLine,
    kept: ReadonlySet<TranscriptLine>,
    placed: ReadonlySet<TranscriptLine>,
  ): TranscriptLine[] {
    const trail = new Set<TranscriptLine>();
    let next: TranscriptLine | undefined = line;
    while (next !== undefined && kept.has(next) && !placed.has(next) && !trail.has(next)) {
      trail.add(next);
      next = this.parentOf(next);
    }
    return [...trail].reverse();
  }
}

/** Calls of one message and their results are siblings: the branch goes through one of them only. */
function addParallel(lines: readonly TranscriptLine[], kept: Set<TranscriptLine>): void {
  const messageIds = new Set([...kept].map(({ messageId }) => messageId));
  for (const line of lines)
    if (line.messageId !== undefined && messageIds.has(line.messageId)) kept.add(line);
  const calls = new Set([...kept].flatMap(({ toolCalls }) => toolCalls));
  for (const line of lines) if (line.toolResults.some((id) => calls.has(id))) kept.add(line);
}

/** V197 goes on from the line before a compaction, past its boundary and its summary. */
function addCompactions(lines: readonly TranscriptLine[], kept: Set<TranscriptLine>): void {
  const uuids = new Set([...kept].map(({ uuid }) => uuid));
  for (const line of lines) {
    if (!line.isBoundary && !line.isSummary) continue;
    if (line.parent === undefined || !uuids.has(line.parent)) continue;
    kept.add(line);
    uuids.add(line.uuid);
  }
}
