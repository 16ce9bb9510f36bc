/**
 * Builds the lines that the imitated CLI prints by itself, in the shape of its version.
 * Pure apart from fresh ids and timestamps. Protocol reference §3, §5 and §10.
 */
import type { NewId } from "./ids.ts";
import { type ImitatedVersion, RECORDED_LINES } from "./imitated-version.ts";
import { fieldOf, isObject, type JsonObject } from "./json-value.ts";

/** What every line of a session carries or depends on. */
export type Session = {
  readonly version: ImitatedVersion;
  readonly sessionId: string;
  readonly cwd: string;
  readonly model: string;
  readonly permissionMode: string;
  readonly newId: NewId;
};

/** The fields of a `result` line beyond its template. */
export type ResultFacts = {
  readonly subtype: string;
  readonly isError: boolean;
  /** Of the whole process so far, this turn included. */
  readonly totalCost: number;
  /** Of this turn. */
  readonly modelCalls: number;
  /** Where it is not the number of model calls. */
  readonly numTurns?: number;
  readonly result?: string;
  readonly errors?: readonly string[];
  readonly terminalReason?: string;
};

/** What one model call costs, in USD, as recorded. */
export function costOfCall(version: ImitatedVersion): number {
  return Number(RECORDED_LINES[version].result["total_cost_usd"]);
}

/** The model that a version starts with when no flag names one. */
export function defaultModelOf(version: ImitatedVersion): string {
  return String(RECORDED_LINES[version].init["model"]);
}

/** The line that opens a turn. */
export function buildInit(session: Session, userUuid: string | undefined): JsonObject {
  const { cwd, model, permissionMode } = session;
  return {
    ...RECORDED_LINES[session.version].init,
    cwd,
    session_id: session.sessionId,
    model,
    permissionMode,
    uuid: session.newId(),
    ...(session.version === "2.1.330" ? { original_cwd: cwd, ...userUuids(userUuid) } : {}),
  };
}

/** `system/status`; V38 prints it only for a change of mode. */
export function buildStatus(session: Session, fields: JsonObject): JsonObject {
  return { type: "system", subtype: "status", ...fields, ...idsOf(session) };
}

/** `command_lifecycle` of a host's message; V330 only. */
export function buildLifecycle(session: Session, uuid: string, state: string): JsonObject {
  return { type: "command_lifecycle", command_uuid: uuid, state, ...idsOf(session) };
}

/** The echo of a user message. Dropped messages are echoed without the time. */
export function buildReplay(session: Session, received: JsonObject, isDropped = false): JsonObject {
  return {
    type: "user",
    message: received["message"],
    session_id: session.sessionId,
    parent_tool_use_id: null,
    uuid: received["uuid"] ?? session.newId(),
    ...(isDropped ? {} : timestampOf(session)),
    isReplay: true,
  };
}

/** A message that Claude puts into the conversation in the user's name. */
export function buildInjectedUser(session: Session, text: string): JsonObject {
  return {
    type: "user",
    message: { role: "user", content: [{ type: "text", text }] },
    parent_tool_use_id: null,
    ...idsOf(session),
    ...timestampOf(session),
  };
}

/** A finished block of an assistant message. */
export function buildAssistant(
  session: Session,
  message: JsonObject,
  block: JsonObject,
): JsonObject {
  return {
    type: "assistant",
    message: { ...message, content: [block], context_management: null },
    parent_tool_use_id: null,
    ...idsOf(session),
    ...timestampOf(session),
    ...(session.version === "2.1.38" ? {} : { request_id: "req_simulated" }),
  };
}

/** A raw stream event in its envelope. */
export function buildStreamEvent(
  session: Session,
  messageId: string,
  event: JsonObject,
): JsonObject {
  const isStart = event["type"] === "message_start";
  return {
    type: "stream_event",
    event,
    session_id: session.sessionId,
    parent_tool_use_id: null,
    uuid: session.newId(),
    ...(isStart && session.version !== "2.1.38" ? { ttft_ms: 1 } : {}),
    ...(isStart && session.version === "2.1.330" ? { thinking_display: "updates" } : {}),
    ...(session.version === "2.1.330" ? { api_message_id: messageId } : {}),
  };
}

/** A tool that failed with `text`; `toolUseResult` is the text with `Error: ` unless given. */
export function buildToolError(
  session: Session,
  toolUseId: string,
  text: string,
  toolUseResult = `Error: ${text}`,
): JsonObject {
  const block = { type: "tool_result", content: text, is_error: true, tool_use_id: toolUseId };
  return {
    type: "user",
    message: { role: "user", content: [block] },
    parent_tool_use_id: null,
    ...idsOf(session),
    ...timestampOf(session),
    tool_use_result: toolUseResult,
    ...(session.version === "2.1.330"
      ? { tool_result_meta: [{ id: toolUseId, non_execution_kind: "permission-rule" }] }
      : {}),
  };
}

/** The line that ends a turn. */
export function buildResult(session: Session, facts: ResultFacts): JsonObject {
  const template = RECORDED_LINES[session.version].result;
  const { isError, subtype, totalCost, result, errors, terminalReason } = facts;
  const { result: _text, terminal_reason: _reason, ...rest } = template;
  return {
    ...rest,
    subtype,
    is_error: isError,
    num_turns: facts.numTurns ?? facts.modelCalls,
    total_cost_usd: totalCost,
    ...usageOf(session, facts),
    ...idsOf(session),
    ...(result === undefined ? {} : { result }),
    ...(errors === undefined ? {} : { errors }),
    ...(terminalReason === undefined || session.version === "2.1.38"
      ? {}
      : { terminal_reason: terminalReason }),
  };
}

/** The result of a process that failed before it could open a turn. */
export function buildFailure(session: Session, error: string): JsonObject {
  return {
    type: "result",
    subtype: "error_during_execution",
    duration_ms: 0,
    duration_api_ms: 0,
    is_error: true,
    num_turns: 0,
    stop_reason: null,
    session_id: session.sessionId,
    total_cost_usd: 0,
    usage: scaleNumbers(RECORDED_LINES[session.version].result["usage"], 0),
    modelUsage: {},
    permission_denials: [],
    uuid: session.newId(),
    errors: [error],
    ...(session.version === "2.1.330" ? { result_index: 0 } : {}),
  };
}

function usageOf(session: Session, facts: ResultFacts): JsonObject {
  const template = RECORDED_LINES[session.version].result;
  const perCall = Object.values(isObject(template["modelUsage"]) ? template["modelUsage"] : {})[0];
  const calls = Math.round(facts.totalCost / costOfCall(session.version));
  const usageFor = (count: number): JsonObject =>
    count === 0 ? {} : { [session.model]: scaleNumbers(perCall, count) };
  return {
    usage: scaleNumbers(template["usage"], facts.modelCalls),
    modelUsage: usageFor(calls),
    ...(session.version === "2.1.330"
      ? { model_usage_since_last_result: usageFor(facts.modelCalls) }
      : {}),
  };
}

const LIMITS = new Set(["contextWindow", "maxOutputTokens"]);

function scaleNumbers(value: unknown, factor: number): unknown {
  if (typeof value === "number") return value * factor;
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      LIMITS.has(key) ? inner : scaleNumbers(inner, factor),
    ]),
  );
}

/** `{user_message_uuids}` for V330 lines, when the host gave its message a uuid. */
export function userUuids(uuid: string | undefined): JsonObject {
  return uuid === undefined ? {} : { user_message_uuids: [uuid] };
}

/** The uuid that the host gave its message, if it did. */
export function uuidOf(received: JsonObject | undefined): string | undefined {
  const uuid = fieldOf(received, "uuid");
  return typeof uuid === "string" ? uuid : undefined;
}

function idsOf(session: Session): JsonObject {
  return { session_id: session.sessionId, uuid: session.newId() };
}

function timestampOf(session: Session): JsonObject {
  return session.version === "2.1.38" ? {} : { timestamp: new Date().toISOString() };
}
