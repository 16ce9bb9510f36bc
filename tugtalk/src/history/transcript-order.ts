/**
 * Which lines of a transcript are the conversation in force, and in which order. A transcript is a
 * tree: branches that were left stay in it, parallel tools make short ones, and lines may be written
 * before those that they follow. Lines come one by one and only their places are kept, so a
 * transcript may be larger than the memory. Protocol reference §7.
 */
import type { TranscriptLine } from "./transcript-line.ts";

/** Everything of a line but what it says. */
export type LinePlace = Omit<TranscriptLine, "messages">;

/** A line of the conversation, with what the caller keeps of it. */
export type OrderedLine<Kept> = {
  readonly uuid: string;
  readonly isUserPrompt: boolean;
  /** The first block of an answer of the model. */
  readonly opensMessage: boolean;
  readonly kept: Kept;
};

type Node<Kept> = {
  readonly uuid: string;
  readonly isUserPrompt: boolean;
  readonly kept: Kept;
  /** The number of its forerunner, of its message, of its calls and of those it has the results of. */
  readonly parent: number;
  readonly message: number;
  readonly calls: readonly number[];
  readonly results: readonly number[];
};

const NONE = -1;
const NO_NUMBERS: readonly number[] = [];

/** All lines of one transcript. Add them in the order in which they were written. */
export class TranscriptTree<Kept> {
  readonly #nodes: Node<Kept>[] = [];
  readonly #uuids = new Numbering();
  readonly #messages = new Numbering();
  readonly #calls = new Numbering();
  /** By the number of a uuid: which node has it. */
  readonly #nodeOf: number[] = [];
  /** Boundaries and summaries of compactions. */
  readonly #compactions: number[] = [];
  readonly #modelEchoes: number[] = [];
  readonly #stopNotes: number[] = [];

  /** Adds a line once: one that is written again is the same one. */
  add(place: LinePlace, kept: Kept): void {
    const number = this.#uuids.of(place.uuid);
    if (this.#nodeOf[number] !== undefined) return;
    this.#nodeOf[number] = this.#nodes.length;
    if (place.isBoundary || place.isSummary) this.#compactions.push(this.#nodes.length);
    if (place.isModelEcho) this.#modelEchoes.push(this.#nodes.length);
    if (place.isStopNote) this.#stopNotes.push(this.#nodes.length);
    this.#nodes.push({
      uuid: place.uuid,
      isUserPrompt: place.isUserPrompt,
      kept,
      parent: place.parent === undefined ? NONE : this.#uuids.of(place.parent),
      message: place.messageId === undefined ? NONE : this.#messages.of(place.messageId),
      calls: this.#numbersOf(place.toolCalls),
      results: this.#numbersOf(place.toolResults),
    });
  }

  /** The lines of the newest branch with all that hangs on it, each after the one that it follows. */
  conversation(): OrderedLine<Kept>[] {
    const parents = Int32Array.from(this.#nodes, ({ parent }, at) => this.#parentOf(parent, at));
    const inForce = branchOf(parents);
    this.#addAnswersToStopHooks(inForce, parents);
    this.#addParallel(inForce);
    this.#addCompactions(inForce);
    this.#dropModelChanges(inForce, parents);
    return this.#ordered(inForce, parents);
  }

  #numbersOf(toolUseIds: readonly string[]): readonly number[] {
    return toolUseIds.length === 0 ? NO_NUMBERS : toolUseIds.map((id) => this.#calls.of(id));
  }

  /** Where the line that one follows is lost, the one written before stands in for it. */
  #parentOf(parent: number, at: number): number {
    return parent === NONE ? NONE : (this.#nodeOf[parent] ?? at - 1);
  }

  /** Calls of one message and their results are siblings: the branch goes through one of them only. */
  #addParallel(inForce: Uint8Array): void {
    const messages = new Uint8Array(this.#messages.size);
    const calls = new Uint8Array(this.#calls.size);
    this.#nodes.forEach(({ message }, at) => {
      if (inForce[at] === 1 && message !== NONE) messages[message] = 1;
    });
    this.#nodes.forEach(({ message, calls: made }, at) => {
      if (message !== NONE && messages[message] === 1) inForce[at] = 1;
      if (inForce[at] === 1) for (const call of made) calls[call] = 1;
    });
    this.#nodes.forEach(({ results }, at) => {
      if (results.some((call) => calls[call] === 1)) inForce[at] = 1;
    });
  }

  /** V197 goes on from the line before a compaction, past its boundary and its summary. */
  #addCompactions(inForce: Uint8Array): void {
    for (const at of this.#compactions) {
      const forerunner = this.#nodeOf[this.#nodes[at]?.parent ?? NONE];
      if (forerunner !== undefined && inForce[forerunner] === 1) inForce[at] = 1;
    }
  }

  /** V197 goes on from its note on the Stop hooks, beside the answer that a hook asked for. */
  #addAnswersToStopHooks(inForce: Uint8Array, parents: Int32Array): void {
    if (this.#stopNotes.length === 0) return;
    const goesOn = new Uint8Array(parents.length);
    for (const at of this.#stopNotes) {
      const parent = parents[at] ?? NONE;
      if (inForce[at] === 1 && parent >= 0) goesOn[parent] = 1;
    }
    this.#nodes.forEach(({ isUserPrompt }, at) => {
      // What follows another message of the host's is a branch that was left.
      if (inForce[at] === 1 || isUserPrompt || goesOn[parents[at] ?? NONE] !== 1) return;
      inForce[at] = 1;
      goesOn[at] = 1;
    });
  }

  /** The command that Claude writes for a change of the model, and its output. */
  #dropModelChanges(inForce: Uint8Array, parents: Int32Array): void {
    for (const at of this.#modelEchoes) {
      inForce[at] = 0;
      const command = parents[at] ?? NONE;
      if (command >= 0) inForce[command] = 0;
    }
  }

  /** As they were written, but none before the one that it follows. */
  #ordered(inForce: Uint8Array, parents: Int32Array): OrderedLine<Kept>[] {
    const emitted = new Uint8Array(this.#messages.size);
    return orderOf(inForce, parents).flatMap((at) => {
      const node = this.#nodes[at];
      if (node === undefined) return [];
      const { uuid, isUserPrompt, kept, message } = node;
      const opensMessage = message !== NONE && emitted[message] === 0;
      if (message !== NONE) emitted[message] = 1;
      return [{ uuid, isUserPrompt, opensMessage, kept }];
    });
  }
}

/** Numbers for names, from 0 on: a number takes a tenth of the memory. */
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

/** Marks what leads from the newest line to the first. */
function branchOf(parents: Int32Array): Uint8Array {
  const marks = new Uint8Array(parents.length);
  let at = newest(parents);
  while (at >= 0 && marks[at] === 0) {
    marks[at] = 1;
    at = parents[at] ?? NONE;
  }
  return marks;
}

/** The last line, or what was written before it and still follows it. */
function newest(parents: Int32Array): number {
  const followers = new Int32Array(parents.length).fill(NONE);
  parents.forEach((parent, at) => {
    if (parent >= 0) followers[parent] = at;
  });
  const seen = new Uint8Array(parents.length);
  let at = parents.length - 1;
  while (at >= 0 && seen[at] === 0) {
    seen[at] = 1;
    const follower = followers[at] ?? NONE;
    at = follower === NONE ? at : follower;
  }
  return at;
}

function orderOf(inForce: Uint8Array, parents: Int32Array): number[] {
  const order: number[] = [];
  const placed = new Uint8Array(parents.length);
  for (let at = 0; at < parents.length; at += 1) {
    const trail: number[] = [];
    for (let next = at; inForce[next] === 1 && placed[next] === 0; next = parents[next] ?? NONE) {
      placed[next] = 1;
      trail.push(next);
    }
    for (let last = trail.pop(); last !== undefined; last = trail.pop()) order.push(last);
  }
  return order;
}
