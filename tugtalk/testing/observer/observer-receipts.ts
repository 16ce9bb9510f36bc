/** Guarantee 3: each accepted message has one final receipt, after its turn, and never goes back. */
import { describe, type Message } from "./observed.ts";
import { isTurnEnd } from "./observer-turns.ts";

const FINAL = new Set(["completed", "cancelled", "rejected", "failed"]);
const ORDER = ["queued", "started", ...FINAL];

/** The faults in the receipts of a host. */
export function receiptFaults(
  messages: readonly Message[],
  isOver: boolean,
  messageIds: readonly string[] = [],
): string[] {
  const faults: string[] = [];
  const last = new Map<string, string>();
  const ended = new Set<unknown>();
  for (const message of messages) {
    if (isTurnEnd(message)) ended.add(message["turn_id"]);
    if (message.type !== "message_status") continue;
    const id = String(message["message_id"]);
    faults.push(...orderFault(id, last.get(id), String(message["status"])));
    faults.push(...turnFault(message, ended));
    // A message that was refused at once was not accepted, so its id is free.
    const isUntaken = message["status"] === "rejected" && !last.has(id);
    if (!isUntaken) last.set(id, String(message["status"]));
  }
  if (!isOver) return faults;
  const unsettled = [...last].filter(([, status]) => !FINAL.has(status));
  const heard = new Set(
    messages.map(({ type, message_id }) => type === "message_status" && message_id),
  );
  return [
    ...faults,
    ...unsettled.map(([id, status]) => `message ${id} is left ${status}`),
    ...messageIds.filter((id) => !heard.has(id)).map((id) => `message ${id} has no receipt`),
  ];
}

function orderFault(id: string, before: string | undefined, status: string): string[] {
  if (before === undefined) return [];
  if (FINAL.has(before)) return [`message ${id} is ${status} after ${before}`];
  const isForward = ORDER.indexOf(status) > ORDER.indexOf(before);
  return isForward ? [] : [`message ${id} goes back from ${before} to ${status}`];
}

function turnFault(message: Message, ended: ReadonlySet<unknown>): string[] {
  const { status, turn_id } = message;
  if (!FINAL.has(String(status))) return [];
  if (turn_id === undefined)
    return status === "completed" ? [`${describe(message)} has no turn`] : [];
  return ended.has(turn_id) ? [] : [`${describe(message)} is final before the end of its turn`];
}
