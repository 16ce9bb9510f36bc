/**
 * Which lines of a transcript are the current conversation, and in which order. A transcript is a tree:
 * abandoned branches stay in it, parallel tools make short ones, and a line may be written before its
 * parent. Lines are added one by one and only their positions are kept, so a transcript may be larger
 * than the memory. Protocol reference §7.
 */
import type { TranscriptLine } from "./transcript-line.ts";

/** Which line of its file a line is, from 0, and its length. */
export type LinePosition = { readonly number: number; readonly bytes: number };

/** A line of the conversation. */
export type OrderedLine = LinePosition & {
  readonly uuid: string;
  readonly isUserPrompt: boolean;
  /** The first block of an assistant message. */
  readonly opensMessage: boolean;
};

/** A line without its messages, which may not fit into the memory. */
type Node = LinePosition & Omit<TranscriptLine, "messages">;

const NONE = -1;

/** All lines of one transcript. Add them in the order in which they were written. */
export class TranscriptTree {
  readonly #nodes: Node[] = [];
  readonly #indexOf = new Map<string, number>();

  /** Ignores a line that was added before. */
  add(line: TranscriptLine, position: LinePosition): void {
    const { messages: _messages, ...node } = line;
    if (this.#indexOf.has(node.uuid)) return;
    this.#indexOf.set(node.uuid, this.#nodes.length);
    this.#nodes.push({ ...position, ...node });
  }

  /** The lines of the newest branch and the lines that belong to it, parents first. */
  conversation(): OrderedLine[] {
    const parents = Int32Array.from(this.#nodes, ({ parent }, at) => this.#parentOf(parent, at));
    const included = branchOf(parents);
    this.#addAnswersBesideNotes(included, parents);
    this.#addParallel(included);
    this.#addCompactions(included);
    this.#dropModelChanges(included, parents);
    return this.#ordered(included, parents);
  }

  /** Where the parent is missing, the line written before takes its part. */
  #parentOf(parent: string | undefined, at: number): number {
    return parent === undefined ? NONE : (this.#indexOf.get(parent) ?? at - 1);
  }

  /** Calls of one message and their results are siblings: the branch goes through one of them only. */
  #addParallel(included: Uint8Array): void {
    const messages = new Set<string | undefined>();
    const calls = new Set<string>();
    this.#nodes.forEach(({ messageId }, at) => {
      if (included[at] === 1) messages.add(messageId);
    });
    this.#nodes.forEach(({ messageId, toolCalls }, at) => {
      if (messageId !== undefined && messages.has(messageId)) included[at] = 1;
      if (included[at] === 1) for (const call of toolCalls) calls.add(call);
    });
    this.#nodes.forEach(({ toolResults }, at) => {
      if (toolResults.some((call) => calls.has(call))) included[at] = 1;
    });
  }

  /** V197 continues from the line before a compaction, past its boundary and its summary. */
  #addCompactions(included: Uint8Array): void {
    this.#nodes.forEach(({ role, parent }, at) => {
      if (role !== "compaction") return;
      const before = this.#indexOf.get(parent ?? "");
      if (before !== undefined && included[before] === 1) included[at] = 1;
    });
  }

  /**
   * V197 continues from its note on the Stop hooks, beside the answer that a hook asked for. It also
   * continues from its note on a failed request, beside the answer to the next try.
   */
  #addAnswersBesideNotes(included: Uint8Array, parents: Int32Array): void {
    const continues = new Uint8Array(parents.length);
    this.#nodes.forEach(({ role }, at) => {
      const parent = parents[at] ?? NONE;
      if (role === "system_note" && included[at] === 1 && parent >= 0) continues[parent] = 1;
    });
    this.#nodes.forEach(({ role }, at) => {
      // After another user prompt comes an abandoned branch.
      if (included[at] === 1 || role === "user_prompt" || continues[parents[at] ?? NONE] !== 1)
        return;
      included[at] = 1;
      continues[at] = 1;
    });
  }

  /** The command that Claude writes for a change of the model, and its output. */
  #dropModelChanges(included: Uint8Array, parents: Int32Array): void {
    this.#nodes.forEach(({ role }, at) => {
      if (role !== "model_echo") return;
      included[at] = 0;
      const command = parents[at] ?? NONE;
      if (command >= 0) included[command] = 0;
    });
  }

  #ordered(included: Uint8Array, parents: Int32Array): OrderedLine[] {
    const opened = new Set<string>();
    return orderOf(included, parents).flatMap((at) => {
      const node = this.#nodes[at];
      if (node === undefined) return [];
      const { uuid, number, bytes, role, messageId } = node;
      const opensMessage = messageId !== undefined && !opened.has(messageId);
      if (messageId !== undefined) opened.add(messageId);
      return [{ uuid, number, bytes, isUserPrompt: role === "user_prompt", opensMessage }];
    });
  }
}

/** Marks the lines from the newest one to the first. */
function branchOf(parents: Int32Array): Uint8Array {
  const marks = new Uint8Array(parents.length);
  let at = newest(parents);
  while (at >= 0 && marks[at] === 0) {
    marks[at] = 1;
    at = parents[at] ?? NONE;
  }
  return marks;
}

/** The last line, or its newest descendant, which may be written before it. */
function newest(parents: Int32Array): number {
  const children = new Int32Array(parents.length).fill(NONE);
  parents.forEach((parent, at) => {
    if (parent >= 0) children[parent] = at;
  });
  const seen = new Uint8Array(parents.length);
  let at = parents.length - 1;
  while (at >= 0 && seen[at] === 0) {
    seen[at] = 1;
    const child = children[at] ?? NONE;
    at = child === NONE ? at : child;
  }
  return at;
}

/** The order in which the lines were written, but parents first. */
function orderOf(included: Uint8Array, parents: Int32Array): number[] {
  const order: number[] = [];
  const placed = new Uint8Array(parents.length);
  for (let at = 0; at < parents.length; at += 1) {
    const path: number[] = [];
    for (let next = at; included[next] === 1 && placed[next] === 0; next = parents[next] ?? NONE) {
      placed[next] = 1;
      path.push(next);
    }
    for (const line of path.reverse()) order.push(line);
  }
  return order;
}
