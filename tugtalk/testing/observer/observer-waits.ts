/**
 * Guarantee 4 on both sides: a prompt is not closed towards the host while Claude still waits for it.
 * Claude waits from its request until it has an answer, withdraws the request or exits.
 */
import { type ClaudePipe, describe, fieldsOf, type Message, type Traffic } from "./observed.ts";

type Wait = {
  /** How many messages the host had received when Claude asked: they are not about this request. */
  readonly asked: number;
  /** How many messages the host had received when Claude got its answer; absent: no answer. */
  answered?: number;
  withdrawn?: number;
  /** Claude has sent another request under the same id, which the answer may be for. */
  isRepeated?: boolean;
};

const CLOSE = /^control_request_(resolved|cancel)$/;

/** Each prompt of this Claude closes for the reason that its closing message gives. */
export function waitFaults(messages: readonly Message[], { pid, traffic }: ClaudePipe): string[] {
  const waits = new Map<unknown, Wait>();
  let gone: number | undefined;
  for (const one of traffic) {
    if (one.from === "exit") gone ??= one.received;
    else record(one, waits);
  }
  const closed = new Set<unknown>();
  const faults = messages.flatMap((message, index) => {
    const { type, request_id: id } = message;
    const wait = waits.get(id);
    if (!CLOSE.test(type) || wait === undefined || index < wait.asked) return [];
    // The next Claude may ask under the same id.
    if (closed.has(id) && gone !== undefined && gone <= index) return [];
    closed.add(id);
    return closeFault(message, index, { ...wait, gone });
  });
  return [...faults, ...lateFaults(waits)].map((fault) => `claude ${pid}: ${fault}`);
}

function record(one: Traffic, waits: Map<unknown, Wait>): void {
  if (one.from === "end" || one.from === "exit") return;
  const { type, request_id, response } = fieldsOf(one.line);
  const isClaude = one.from === "claude";
  if (isClaude && type === "control_request") {
    const known = waits.get(request_id);
    waits.set(
      request_id,
      known === undefined ? { asked: one.received } : { ...known, isRepeated: true },
    );
  }
  const wait = waits.get(isClaude ? request_id : fieldsOf(response)["request_id"]);
  if (wait === undefined) return;
  if (isClaude && type === "control_cancel_request") wait.withdrawn ??= one.received;
  if (!isClaude && type === "control_response") wait.answered ??= one.received;
}

/** The events before a closing message must explain it. */
function closeFault(
  message: Message,
  index: number,
  { answered, withdrawn, gone }: Wait & { readonly gone: number | undefined },
): string[] {
  const by = (received: number | undefined) => received !== undefined && received <= index;
  const isExplained = (): boolean => {
    if (message["reason"] === "exited") return by(gone);
    const isHeard = by(answered);
    const isPlain = message.type === "control_request_resolved" || message["reason"] === "timeout";
    return isHeard || (!isPlain && by(withdrawn));
  };
  return isExplained()
    ? []
    : [`${describe(message)} closes ${message["request_id"]}, for which Claude still waits`];
}

/** A withdrawn request stays unanswered. */
function lateFaults(waits: ReadonlyMap<unknown, Wait>): string[] {
  return [...waits].flatMap(([id, { answered, withdrawn, isRepeated }]) =>
    answered !== undefined && withdrawn !== undefined && withdrawn < answered && isRepeated !== true
      ? [`request ${id} is answered after it was withdrawn`]
      : [],
  );
}
