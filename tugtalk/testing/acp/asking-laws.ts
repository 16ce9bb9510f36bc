/** What holds for the requests of Claude and the agent's requests to the client for them. Pure. */
import { type Fields, fieldsOf, type Traffic } from "../observer/observed.ts";
import type { Passage } from "./client-pipe.ts";

/** A request to the client has one outcome: the client's answer, or its withdrawal. Claude has what the client said. */
export function askingFaults(
  passages: readonly Passage[],
  claudes: readonly (readonly Traffic[])[],
  isOver: boolean,
): string[] {
  return [
    ...outcomeFaults(passages, isOver),
    ...claudes.flatMap((traffic) => [
      ...answerFaults(traffic),
      ...permissionFaults(traffic, passages),
    ]),
  ];
}

function outcomeFaults(passages: readonly Passage[], isOver: boolean): string[] {
  const open = new Set<unknown>();
  const faults = passages.flatMap(({ from, frame }) => {
    const { id, method, params } = frame;
    if (from === "client") {
      if (method === undefined) open.delete(id);
      return [];
    }
    if (method === "$/cancel_request") {
      const { requestId } = fieldsOf(params);
      return open.delete(requestId) ? [] : [`request ${requestId} is withdrawn, and was not open`];
    }
    if (method !== undefined && id !== undefined) open.add(id);
    return [];
  });
  return isOver ? [...faults, ...[...open].map((id) => `request ${id} is left open`)] : faults;
}

/** Claude has at most one answer to a request, and none that it did not make. */
function answerFaults(traffic: readonly Traffic[]): string[] {
  const open = new Set<unknown>();
  return traffic.flatMap((one) => {
    if (one.from === "claude") {
      const { type, request_id } = fieldsOf(one.line);
      if (type === "control_request") open.add(request_id);
    }
    if (one.from !== "bridge") return [];
    const { type, response } = fieldsOf(one.line);
    const { request_id } = fieldsOf(response);
    const isWrong = type === "control_response" && !open.delete(request_id);
    return isWrong ? [`Claude has one more answer to ${request_id}`] : [];
  });
}

/** A call is allowed only where the client has chosen that before. */
function permissionFaults(traffic: readonly Traffic[], passages: readonly Passage[]): string[] {
  const calls = new Map<unknown, unknown>();
  return traffic.flatMap((one) => {
    if (one.from !== "claude" && one.from !== "bridge") return [];
    const { type, request_id: asked, request, response } = fieldsOf(one.line);
    const { subtype, tool_use_id: call } = fieldsOf(request);
    if (one.from === "claude") {
      if (type === "control_request" && subtype === "can_use_tool") calls.set(asked, call ?? asked);
      return [];
    }
    const { request_id: id, response: said } = fieldsOf(response);
    const isAllowed = calls.has(id) && fieldsOf(said)["behavior"] === "allow";
    if (!isAllowed || isChosen(calls.get(id), passages.slice(0, one.received))) return [];
    return [`${id} is allowed, and the client has not chosen that`];
  });
}

/** The client has chosen to allow a call. */
function isChosen(call: unknown, passages: readonly Passage[]): boolean {
  const asked = passages.filter(
    ({ from, frame: { params } }) =>
      from === "agent" && fieldsOf(fieldsOf(params)["toolCall"])["toolCallId"] === call,
  );
  const offers = new Map(
    asked.map(({ frame: { id, params } }) => [id, allowing(fieldsOf(params))]),
  );
  return passages.some(({ from, frame: { id, method, result } }) => {
    const { outcome, optionId } = fieldsOf(fieldsOf(result)["outcome"]);
    const isAnswer = from === "client" && method === undefined && outcome === "selected";
    return isAnswer && offers.get(id)?.has(optionId) === true;
  });
}

function allowing({ options }: Fields): ReadonlySet<unknown> {
  const list: readonly unknown[] = Array.isArray(options) ? options : [];
  const chosen = list.map(fieldsOf).filter(({ kind }) => String(kind).startsWith("allow"));
  return new Set(chosen.map(({ optionId }) => optionId));
}

/** The calls about which Claude has asked and waits for no answer: it has one, has withdrawn it, or has exited. */
export function settledCalls(claudes: readonly (readonly Traffic[])[]): ReadonlySet<unknown> {
  return new Set(claudes.flatMap(settledCallsOf));
}

function settledCallsOf(traffic: readonly Traffic[]): unknown[] {
  const hasExited = traffic.some(({ from }) => from === "exit");
  const lines = traffic.flatMap((one) => ("line" in one ? [fieldsOf(one.line)] : []));
  const settled = new Set(
    lines.map(({ type, request_id, response }) =>
      type === "control_cancel_request" ? request_id : fieldsOf(response)["request_id"],
    ),
  );
  return lines.flatMap(({ request_id, request }) => {
    const call = fieldsOf(request)["tool_use_id"];
    const isSettled = hasExited || settled.has(request_id);
    return call !== undefined && isSettled ? [call] : [];
  });
}
