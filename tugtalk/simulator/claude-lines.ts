/**
 * Builds the lines that 2.1.330 prints by itself. `recorded-lines.json` has recorded lines, without the ids
 * that differ from session to session. Pure apart from fresh ids and timestamps. Protocol reference §3, §5
 * and §10.
 */

import { type Fields, isJsonObject } from "../src/base/json.ts";
import type { NewId } from "./ids.ts";
import { fieldOf } from "./json-value.ts";
import recorded from "./recorded-lines.json";
import { resultBlock } from "./stream-events.ts";

/** The facts that every line of a session carries or depends on. */
export type Session = {
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
  /** The cost of the whole process so far, this turn included. */
  readonly totalCost: number;
  /** The model calls of this turn. */
  readonly modelCalls: number;
  /** Set if it differs from the number of model calls. */
  readonly numTurns?: number;
  readonly result?: string;
  readonly errors?: readonly string[];
  readonly terminalReason: string;
};

/** The cost of one model call, in USD. */
export const COST_OF_CALL = recorded.result.total_cost_usd;

/** The line that opens a turn. */
export function buildInit(session: Session, userUuid: string | undefined): Fields {
  const { cwd, model, permissionMode } = session;
  return {
    ...recorded.init,
    cwd,
    original_cwd: cwd,
    model,
    permissionMode,
    ...idsOf(session),
    ...userUuids(userUuid),
  };
}

/** `system/status`. */
export function buildStatus(session: Session, fields: Fields): Fields {
  return { type: "system", subtype: "status", ...fields, ...idsOf(session) };
}

/** `command_lifecycle` of a host's message. */
export function buildLifecycle(session: Session, uuid: string, state: string): Fields {
  return { type: "command_lifecycle", command_uuid: uuid, state, ...idsOf(session) };
}

/** The echo of a user message. Dropped messages are echoed without the time. */
export function buildReplay(session: Session, received: Fields, isDropped = false): Fields {
  return {
    type: "user",
    message: received["message"],
    session_id: session.sessionId,
    parent_tool_use_id: null,
    uuid: received["uuid"] ?? session.newId(),
    ...(isDropped ? {} : timestamp()),
    isReplay: true,
  };
}

/** A message in the user's name that the host has not sent: the result of a tool, or a notice. */
export function buildUser(session: Session, block: Fields): Fields {
  return {
    type: "user",
    message: { role: "user", content: [block] },
    parent_tool_use_id: null,
    ...idsOf(session),
    ...timestamp(),
  };
}

/** A finished block of an assistant message. */
export function buildAssistant(session: Session, message: Fields, block: Fields): Fields {
  return {
    type: "assistant",
    message: { ...message, content: [block], context_management: null },
    parent_tool_use_id: null,
    ...idsOf(session),
    ...timestamp(),
    request_id: "req_simulated",
  };
}

/** A raw stream event in its envelope. */
export function buildStreamEvent(session: Session, messageId: string, event: Fields): Fields {
  const isStart = event["type"] === "message_start";
  return {
    type: "stream_event",
    event,
    session_id: session.sessionId,
    parent_tool_use_id: null,
    uuid: session.newId(),
    ...(isStart ? { ttft_ms: 1, thinking_display: "updates" } : {}),
    api_message_id: messageId,
  };
}

/** A tool that failed with `text`; `toolUseResult` is the text with `Error: ` unless given. */
export function buildToolError(
  session: Session,
  toolUseId: string,
  text: string,
  toolUseResult = `Error: ${text}`,
): Fields {
  return {
    ...buildUser(session, { ...resultBlock(toolUseId, text), is_error: true }),
    tool_use_result: toolUseResult,
    tool_result_meta: [{ id: toolUseId, non_execution_kind: "permission-rule" }],
  };
}

/** The line that ends a turn. */
export function buildResult(session: Session, facts: ResultFacts): Fields {
  const { isError, subtype, totalCost, result, errors, terminalReason } = facts;
  const { result: _text, ...rest } = recorded.result;
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
    terminal_reason: terminalReason,
  };
}

/** The result of a process that failed before it could open a turn. */
export function buildFailure(session: Session, error: string): Fields {
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
    usage: scaleNumbers(recorded.result.usage, 0),
    modelUsage: {},
    permission_denials: [],
    uuid: session.newId(),
    errors: [error],
    result_index: 0,
  };
}

function usageOf(session: Session, facts: ResultFacts): Fields {
  const [perCall] = Object.values(recorded.result.modelUsage);
  const calls = Math.round(facts.totalCost / COST_OF_CALL);
  const usageFor = (count: number): Fields =>
    count === 0 ? {} : { [session.model]: scaleNumbers(perCall, count) };
  return {
    usage: scaleNumbers(recorded.result.usage, facts.modelCalls),
    modelUsage: usageFor(calls),
    model_usage_since_last_result: usageFor(facts.modelCalls),
  };
}

const LIMITS = new Set(["contextWindow", "maxOutputTokens"]);

function scaleNumbers(value: unknown, factor: number): unknown {
  if (typeof value === "number") return value * factor;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      LIMITS.has(key) ? inner : scaleNumbers(inner, factor),
    ]),
  );
}

/** `{user_message_uuids}`, if the host's message has a uuid. */
export function userUuids(uuid: string | undefined): Fields {
  return uuid === undefined ? {} : { user_message_uuids: [uuid] };
}

/** The uuid of the host's message, if it has one. */
export function uuidOf(received: Fields | undefined): string | undefined {
  const uuid = fieldOf(received, "uuid");
  return typeof uuid === "string" ? uuid : undefined;
}

function idsOf(session: Session): Fields {
  return { session_id: session.sessionId, uuid: session.newId() };
}

function timestamp(): Fields {
  return { timestamp: new Date().toISOString() };
}
