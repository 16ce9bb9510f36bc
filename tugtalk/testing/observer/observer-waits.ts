/**
 * Guarantee 4 on both sides at once: a prompt is never closed towards the host while Claude still waits
 * for it. Claude waits from its request until it has an answer, takes it back, or is gone.
 */
import { type ClaudePipe, describe, fieldsOf, type Message, type Traffic } from "./observed.ts";

type Wait = {
  /** How much the host had received when Claude got its answer, and so on; absent: never. */
  answered?: number;
  withdrawn?: number;
  /** Claude has sent another request under the same id, which the answer may be for. */
  isRepeated?: boolean;
};

/** Each prompt of this Claude is closed when there is a reason to, which is the reason that is told. */
export function waitFaults(messages: readonly Message[], { pid, traffic }: ClaudePipe): string[] {
  const waits = new Map<unknown, Wait>();
  let gone: number | undefined;
  for (const one of traffic) {
    if (one.from === "exit") gone ??= one.received;
    else note(one, waits);
  }
  const faults = messages.flatMap((message, index) => {
    const wait = waits.get(message["request_id"]);
    return wait === undefined ? [] : closeFault(message, index, { ...wait, gone });
  });
  return [...faults, ...lateFaults(waits)].map((fault) => `claude ${pid}: ${fault}`);
}

function note(one: Traffic, waits: Map<unknown, Wait>): void {
  if (one.from === "end" || one.from === "exit") return;
  const { type, request_id, response } = fieldsOf(one.line);
  const isClaude = one.from === "claude";
  if (isClaude && type === "control_request") {
    const known = waits.get(request_id);
    waits.set(request_id, known === undefined ? {} : { ...known, isRepeated: true });
  }
  const wait = waits.get(isClaude ? request_id : fieldsOf(response)["request_id"]);
  if (wait === undefined) return;
  if (isClaude && type === "control_cancel_request") wait.withdrawn ??= one.received;
  if (!isClaude && type === "control_response") wait.answered ??= one.received;
}

/** What has happened before a message that closes a prompt must explain it. */
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
  const isClose = /^control_request_(resolved|cancel)$/.test(message.type);
  return isClose && !isExplained()
    ? [`${describe(message)} closes ${message["request_id"]}, for which Claude still waits`]
    : [];
}

/** What Claude has taken back stays unanswered. */
function lateFaults(waits: ReadonlyMap<unknown, Wait>): string[] {
  return [...waits].flatMap(([id, { answered, withdrawn, isRepeated }]) =>
    answered !== undefined && withdrawn !== undefined && withdrawn < answered && isRepeated !== true
      ? [`request ${id} is answered after it was withdrawn`]
      : [],
  );
}
