/**
 * Which lines of a transcript are the current conversation, and in which order. A transcript is a tree:
 * abandoned branches stay in it, parallel tools make short ones, and a line may be written before its
 * parent. Lines are added one by one and only their positions are kept, so a transcript may be larger
 * than the memory. Protocol reference §7.
 */
import type { LineRole, TranscriptLine } from "./transcript-line.ts";

/** Which line of its file a line is, from 0, and its length. */
export type LinePosition = { readonly number: number; readonly bytes: number };

/** A line of the conversation. */
export type OrderedLine = LinePosition & {
  readonly uuid: string;
  readonly isUserPrompt: boolean;
  /** The first block of an assistant message. */
  readonly opensMessage: boolean;
};

type Node = {
  readonly uuid: string;
  readonly position: LinePosition;
  readonly role: LineRole;
  /** The numbers of its parent, its message, its tool calls and the calls that it has results of. */
  readonly parent: number;
  readonly message: number;
  readonly calls: readonly number[];
  readonly results: readonly number[];
};

const NONE = -1;
const NO_NUMBERS: readonly number[] = [];

/** All lines of one transcript. Add them in the order in which they were written. */
export class TranscriptTree {
  readonly #nodes: Node[] = [];
  readonly #uuids = new Numbering();
  readonly #messages = new Numbering();
  readonly #calls = new Numbering();
  /** The index of the node, by the number of its uuid. */
  readonly #nodeOf: number[] = [];

  /** Ignores a line that was added before. */
  add(line: Omit<TranscriptLine, "messages">, position: LinePosition): void {
    const number = this.#uuids.of(line.uuid);
    if (this.#nodeOf[number] !== undefined) return;
    this.#nodeOf[number] = this.#nodes.length;
    this.#nodes.push({
      uuid: line.uuid,
      position,
      role: line.role,
      parent: line.parent === undefined ? NONE : this.#uuids.of(line.parent),
      message: line.messageId === undefined ? NONE : this.#messages.of(line.messageId),
      calls: this.#numbersOf(line.toolCalls),
      results: this.#numbersOf(line.toolResults),
    });
  }

  /** The lines of the newest branch and what belongs to it, parents first. */
  conversation(): OrderedLine[] {
    const parents = Int32Array.from(this.#nodes, ({ parent }, at) => this.#parentOf(parent, at));
    const included = branchOf(parents);
    this.#addAnswersToStopHooks(included, parents);
    this.#addParallel(included);
    this.#addCompactions(included);
    this.#dropModelChanges(included, parents);
    return this.#ordered(included, parents);
  }

  #numbersOf(toolUseIds: readonly string[]): readonly number[] {
    return toolUseIds.length === 0 ? NO_NUMBERS : toolUseIds.map((id) => this.#calls.of(id));
  }

  /** Where the parent is missing, the line written before takes its part. */
  #parentOf(parent: number, at: number): number {
    return parent === NONE ? NONE : (this.#nodeOf[parent] ?? at - 1);
  }

  /** Calls of one message and their results are siblings: the branch goes through one of them only. */
  #addParallel(included: Uint8Array): void {
    const messages = new Uint8Array(this.#messages.size);
    const calls = new Uint8Array(this.#calls.size);
    this.#nodes.forEach(({ message }, at) => {
      if (included[at] === 1 && message !== NONE) messages[message] = 1;
    });
    this.#nodes.forEach(({ message, calls: made }, at) => {
      if (message !== NONE && messages[message] === 1) included[at] = 1;
      if (included[at] === 1) for (const call of made) calls[call] = 1;
    });
    this.#nodes.forEach(({ results }, at) => {
      if (results.some((call) => calls[call] === 1)) included[at] = 1;
    });
  }

  /** V197 continues from the line before a compaction, past its boundary and its summary. */
  #addCompactions(included: Uint8Array): void {
    this.#nodes.forEach(({ role, parent }, at) => {
      if (role !== "compaction") return;
      const before = this.#nodeOf[parent];
      if (before !== undefined && included[before] === 1) included[at] = 1;
    });
  }

  /** V197 continues from its note on the Stop hooks, beside the answer that a hook asked for. */
  #addAnswersToStopHooks(included: Uint8Array, parents: Int32Array): void {
    const continues = new Uint8Array(parents.length);
    this.#nodes.forEach(({ role }, at) => {
      const parent = parents[at] ?? NONE;
      if (role === "stop_hooks" && included[at] === 1 && parent >= 0) continues[parent] = 1;
    });
    this.#nodes.forEach(({ role }, at) => {
      // What follows another user prompt is an abandoned branch.
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
    const opened = new Uint8Array(this.#messages.size);
    return orderOf(included, parents).flatMap((at) => {
      const node = this.#nodes[at];
      if (node === undefined) return [];
      const { uuid, position, role, message } = node;
      const opensMessage = message !== NONE && opened[message] === 0;
      if (message !== NONE) opened[message] = 1;
      return [{ ...position, uuid, isUserPrompt: role === "user_prompt", opensMessage }];
    });
  }
}

/** Numbers for names, from 0: a number takes a tenth of the memory. */
class Numbering {
  readonly #numbers = new Map<string, number>();

  get size(): number {
    return this.#numbers.size;
  }

  of(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#numbers.size);
    return this.#numbers.size - 1;
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
