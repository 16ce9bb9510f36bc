/**
 * Guarantees 4 and 10 on both sides: a prompt, or a call of a tool of the host, is not closed towards the
 * host while Claude still waits for it.
 * Claude waits from its request until it has an answer, withdraws the request or exits.
 */
import { isDeeperThan, MAX_DEPTH } from "../../src/base/json-depth.ts";
import {
  type ClaudePipe,
  describe,
  type Fields,
  fieldsOf,
  isOfProgram,
  type Message,
  type Traffic,
} from "./observed.ts";

type Wait = {
  /** How many messages the host had received when Claude asked: they are not about this request. */
  readonly asked: number;
  /** How many messages the host had received when Claude got its answer; absent: no answer. */
  answered?: number;
  withdrawn?: number;
  /** Claude has sent another request under the same id, which the answer may be for. */
  isRepeated?: boolean;
  /** The call of a tool of the host, if the request is one. */
  readonly call: Call | undefined;
  /** The hook of the host, if the request is for one. */
  readonly hook: Hook | undefined;
  /** Whether the request was read after Claude's stdin was closed. */
  readonly isLate: boolean;
};

type ClaudeLine = Extract<Traffic, { readonly line: unknown }>;

type Hook = { readonly input: unknown };

type Call = { readonly rpcId: unknown; readonly toolUseId: unknown };

const CLOSE = /^control_request_(resolved|cancel)$/;

/** Each prompt of this Claude closes for the reason that its closing message gives. */
export function waitFaults(messages: readonly Message[], { pid, traffic }: ClaudePipe): string[] {
  const waits = new Map<unknown, Wait>();
  let gone: number | undefined;
  let isLate = false;
  for (const one of traffic) {
    if (one.from === "exit") gone ??= one.received;
    isLate ||= one.from === "exit" || one.from === "end";
    record(one, waits, isLate);
  }
  const closed = new Set<unknown>();
  const names = new Map<unknown, unknown>();
  const faults = messages.flatMap((message, index) => {
    const { type, request_id: id } = message;
    if (isOfProgram(message)) names.set(id, askedFor(message, index, waits));
    const wait = waits.get(names.get(id) ?? id);
    if (!CLOSE.test(type) || wait === undefined || index < wait.asked) return [];
    // The next Claude may ask under the same id.
    if (closed.has(id) && gone !== undefined && gone <= index) return [];
    closed.add(id);
    return closeFault(message, index, { ...wait, gone });
  });
  const left = leftFaults(waits, new Set(names.values()));
  return [...faults, ...lateFaults(waits), ...left, ...interruptFaults(traffic)].map(
    (fault) => `claude ${pid}: ${fault}`,
  );
}

function record(one: Traffic, waits: Map<unknown, Wait>, isLate: boolean): void {
  if (one.from === "end" || one.from === "exit") return;
  const { type, request_id, response } = fieldsOf(one.line);
  const isClaude = one.from === "claude";
  if (isClaude && type === "control_request") {
    const known = waits.get(request_id);
    waits.set(
      request_id,
      known === undefined
        ? { asked: one.received, call: callIn(one.line), hook: hookIn(one.line), isLate }
        : { ...known, isRepeated: true },
    );
    recordCancelled(one, waits);
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

/** Each call and each hook is passed on to the host, or answered without it. */
function leftFaults(
  waits: ReadonlyMap<unknown, Wait>,
  passedOn: ReadonlySet<unknown>,
): readonly string[] {
  return [...waits]
    .filter(([, { call, hook }]) => call !== undefined || hook !== undefined)
    .filter(([id, { answered, withdrawn, isRepeated, isLate }]) => {
      const isOpen = answered === undefined && withdrawn === undefined;
      return (
        isOpen && typeof id === "string" && !passedOn.has(id) && isRepeated !== true && !isLate
      );
    })
    .map(([id]) => `request ${id} is neither passed on nor answered`);
}

/** 2.1.197 exits when it is interrupted while it waits at a hook of a message. */
function interruptFaults(traffic: readonly Traffic[]): string[] {
  const open = new Set<unknown>();
  const faults: string[] = [];
  for (const one of traffic) {
    if (one.from === "end" || one.from === "exit") continue;
    const { type, request_id, request, response } = fieldsOf(one.line);
    const { subtype, callback_id } = fieldsOf(request);
    if (one.from !== "claude") {
      open.delete(fieldsOf(response)["request_id"]);
      if (subtype === "interrupt" && open.size > 0)
        faults.push("is interrupted while it waits at a hook of a message");
    } else if (type === "control_cancel_request") open.delete(request_id);
    else if (subtype === "hook_callback" && callback_id === "UserPromptSubmit")
      open.add(request_id);
  }
  return faults;
}

/** Claude's id of the newest request that a request to the host's program is for. */
function askedFor(message: Message, index: number, waits: ReadonlyMap<unknown, Wait>): unknown {
  const isIt = ({ asked, call, hook }: Wait) =>
    asked <= index &&
    (message.type === "hook_request"
      ? hook !== undefined && isSame(hook.input, message["input"])
      : call !== undefined && call.toolUseId === message["tool_use_id"]);
  return [...waits].findLast(([, wait]) => isIt(wait))?.[0];
}

/** Claude's inputs can be too deep to compare. The bridge never passes on an input of that depth. */
function isSame(given: unknown, passedOn: unknown): boolean {
  return !isDeeperThan(MAX_DEPTH, given) && Bun.deepEquals(given, passedOn, true);
}

function hookIn(line: unknown): Hook | undefined {
  const { subtype, input } = fieldsOf(fieldsOf(line)["request"]);
  return subtype === "hook_callback" ? { input } : undefined;
}

/** The message of MCP in a request of Claude. */
function mcpIn(line: unknown): Fields {
  return fieldsOf(fieldsOf(fieldsOf(line)["request"])["message"]);
}

function callIn(line: unknown): Call | undefined {
  const { method, id: rpcId, params } = mcpIn(line);
  if (method !== "tools/call") return undefined;
  return { rpcId, toolUseId: fieldsOf(fieldsOf(params)["_meta"])["claudecode/toolUseId"] };
}

/** Claude withdraws a call by a message of MCP. */
function recordCancelled({ line, received }: ClaudeLine, waits: ReadonlyMap<unknown, Wait>): void {
  const { method, params } = mcpIn(line);
  if (method !== "notifications/cancelled") return;
  const { requestId } = fieldsOf(params);
  for (const wait of waits.values())
    if (wait.call?.rpcId === requestId) wait.withdrawn ??= received;
}
