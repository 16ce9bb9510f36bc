/** The laws for the requests of Claude and the agent's requests to the client for them. Pure. */
import { type Fields, fieldsOf, type Traffic } from "../observer/observed.ts";
import { linesOf } from "./claude-lines.ts";
import type { Passage } from "./client-pipe.ts";

/**
 * A request to the client has one outcome, its answer or its withdrawal, and Claude gets the client's answer.
 */
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

/** A call is allowed, and a form accepted, only where the client has chosen that before. */
function permissionFaults(traffic: readonly Traffic[], passages: readonly Passage[]): string[] {
  const subjects = new Map<unknown, unknown>();
  return traffic.flatMap((one) => {
    if (one.from !== "claude" && one.from !== "bridge") return [];
    const { type, request_id: asked, request, response } = fieldsOf(one.line);
    if (one.from === "claude") {
      if (type === "control_request") subjects.set(asked, subjectIn(fieldsOf(request)) ?? asked);
      return [];
    }
    const { request_id: id, response: said } = fieldsOf(response);
    const { behavior, action, content } = fieldsOf(said);
    const isAllowed = subjects.has(id) && (behavior === "allow" || action === "accept");
    const before = passages.slice(0, one.received);
    if (!isAllowed || isChosen(subjects.get(id), before, content)) return [];
    return [`${id} is allowed, and the client has not chosen that`];
  });
}

/** The client has chosen to allow a call, or has filled in a form so. */
function isChosen(subject: unknown, passages: readonly Passage[], filled: unknown): boolean {
  const asked = passages.filter(
    ({ from, frame }) =>
      from === "agent" && frame["method"] !== undefined && subjectOf(frame) === subject,
  );
  const offers = new Map(
    asked.map(({ frame: { id, params } }) => [id, allowing(fieldsOf(params))]),
  );
  return passages.some(({ from, frame: { id, method, result } }) => {
    const offered = from === "client" && method === undefined ? offers.get(id) : undefined;
    const { outcome, action, content } = fieldsOf(result);
    const { optionId = action } = fieldsOf(outcome);
    const isFilled = filled === undefined || Bun.deepEquals(content ?? {}, filled);
    return offered?.has(optionId) === true && (action === undefined || isFilled);
  });
}

function allowing({ options, requestedSchema, mode }: Fields): ReadonlySet<unknown> {
  // A form that asks for the reason of a refusal allows nothing.
  const isReason = "reason" in fieldsOf(fieldsOf(requestedSchema)["properties"]);
  if (mode !== undefined) return new Set(isReason ? [] : ["accept"]);
  const list: readonly unknown[] = Array.isArray(options) ? options : [];
  const chosen = list.map(fieldsOf).filter(({ kind }) => String(kind).startsWith("allow"));
  return new Set(chosen.map(({ optionId }) => optionId));
}

/** The subjects for which Claude waits for no answer: it has one, has withdrawn it, or has exited. */
export function settledSubjects(claudes: readonly (readonly Traffic[])[]): ReadonlySet<unknown> {
  return new Set(claudes.flatMap(settledSubjectsOf));
}

/** The subject of a request of the agent: the text of a server's form, or a call. */
export function subjectOf({ params }: Fields): unknown {
  const { toolCall, toolCallId, message } = fieldsOf(params);
  const { toolCallId: call = toolCallId, title = message } = fieldsOf(toolCall);
  return /which tide\? \(.*\)/.exec(String(title))?.[0] ?? call;
}

/** The same, of a request of Claude. */
function subjectIn({ subtype, tool_use_id: call, message }: Fields): unknown {
  return subtype === "elicitation" ? message : call;
}

function settledSubjectsOf(traffic: readonly Traffic[]): unknown[] {
  const hasExited = traffic.some(({ from }) => from === "exit");
  const lines = linesOf(traffic);
  const settled = new Set(
    lines.map(({ type, request_id, response }) =>
      type === "control_cancel_request" ? request_id : fieldsOf(response)["request_id"],
    ),
  );
  return lines.flatMap(({ request_id, request }) => {
    const subject = subjectIn(fieldsOf(request));
    const isSettled = hasExited || settled.has(request_id);
    return subject !== undefined && isSettled ? [subject] : [];
  });
}
