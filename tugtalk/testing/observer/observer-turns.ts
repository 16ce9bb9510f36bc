/** Guarantee 2, and guarantee 1 for costs: turns, as the host sees them. */
import { describe, type Message } from "./observed.ts";

/** Messages that may name a turn after its end. */
const RECEIPTS = new Set(["message_status"]);

const ENDS = new Set(["turn_complete", "turn_cancelled"]);

/** Whether a message ends a turn. */
export function isTurnEnd({ type }: Message): boolean {
  return ENDS.has(type);
}

type Books = { readonly open: string[]; readonly started: Set<string> };

/**
 * Each turn that starts ends once, in order, before its process. No message names a turn that is not open.
 */
export function turnFaults(messages: readonly Message[], isOver: boolean): string[] {
  const books: Books = { open: [], started: new Set() };
  const faults = messages.flatMap((message) => turnFault(message, books));
  return isOver && books.open.length > 0 ? [...faults, `turn ${books.open[0]} never ends`] : faults;
}

function turnFault(message: Message, { open, started }: Books): string[] {
  if (message.type === "process_exit") {
    return open.length > 0 ? [`turn ${open[0]} is open at process_exit`] : [];
  }
  const turn = message["turn_id"];
  if (typeof turn !== "string" || RECEIPTS.has(message.type)) return [];
  if (message.type === "turn_started") {
    const isAgain = started.has(turn);
    started.add(turn);
    open.push(turn);
    return isAgain ? [`turn ${turn} starts twice`] : [];
  }
  if (!open.includes(turn)) return [`${describe(message)} names turn ${turn}, which is not open`];
  if (!isTurnEnd(message)) return [];
  const [oldest] = open;
  open.splice(open.indexOf(turn), 1);
  return oldest === turn ? [] : [`turn ${turn} ends before ${oldest}`];
}

/**
 * Each `cost_update` belongs to the `turn_complete` that comes after it, and each `turn_complete` has one.
 */
export function costFaults(messages: readonly Message[], isOver: boolean): string[] {
  const faults: string[] = [];
  const untaken = new Set<unknown>();
  for (const message of messages) {
    const turn = message["turn_id"];
    if (message.type === "cost_update") {
      if (untaken.has(turn)) faults.push(`turn ${turn} has two costs`);
      untaken.add(turn);
    }
    if (message.type === "turn_complete" && !untaken.delete(turn))
      faults.push(`turn ${turn} ends without its cost`);
  }
  const left = isOver ? [...untaken] : [];
  return [...faults, ...left.map((turn) => `the cost of turn ${turn} is of no turn_complete`)];
}
