/** Turns: their beginning, their end and their costs. */

import { present } from "../claude-value.ts";
import type { QueuedMessage, ReducedSession } from "../reduced-session.ts";
import type { Turn, TurnCost, TurnEnd } from "../transcript-models.ts";
import { endedEntry } from "./endings.ts";
import { handler, wholeHandler } from "./handler.ts";
import {
  anything,
  flag,
  number,
  object,
  optional,
  recordOf,
  text,
  texts,
} from "./message-fields.ts";
import { addEntry, changeEntry, isOpenTurn, positionOfTurn } from "./transcript.ts";

export const TURN_HANDLERS = [
  handler(
    "turn_started",
    { turn_id: text, message_ids: texts, trigger: text },
    (state, { turn_id: turnId, message_ids: messageIds, trigger }) => {
      const first = state.queue.find(({ messageId }) => messageIds.includes(messageId));
      return addEntry(withoutSuggestion(state), {
        kind: "turn",
        key: turnId,
        turnId,
        trigger,
        messageIds,
        ...present({ sentAt: first?.sentAt, afterLimit: first && afterLimitOf(first) }),
        status: "running",
        items: [],
        agents: {},
      });
    },
  ),
  handler(
    "turn_complete",
    {
      turn_id: text,
      message_ids: texts,
      trigger: text,
      result: text,
      subtype: text,
      is_error: flag,
      errors: optional(texts),
      stop_reason: optional(text),
      terminal_reason: optional(text),
      structured_output: anything,
      api_error_status: optional(number),
    },
    (state, message) => {
      const { subtype, is_error: isError, errors, stop_reason: stopReason } = message;
      const { terminal_reason: terminalReason, structured_output: structuredOutput } = message;
      const { api_error_status: apiErrorStatus } = message;
      const more = present({
        ...{ errors, stopReason, terminalReason, structuredOutput, apiErrorStatus },
      });
      return endTurn(state, message, message.result, { subtype, isError, ...more });
    },
  ),
  handler(
    "turn_cancelled",
    { turn_id: text, message_ids: texts, trigger: text, reason: text },
    (state, message) => {
      const { reason: subtype } = message;
      return endTurn(state, message, "cancelled", { subtype, isError: !REQUESTED.has(subtype) });
    },
  ),
  wholeHandler(
    "cost_update",
    {
      total_cost_usd: optional(number),
      turn_cost_usd: optional(number),
      duration_ms: optional(number),
      num_turns: optional(number),
      usage: optional(object),
      modelUsage: optional(recordOf(object)),
      duration_api_ms: optional(number),
      context: optional(object),
    },
    (state, message) => {
      const { total_cost_usd: total, turn_cost_usd: ofTurn, turn_id } = message;
      // Without a share of the turn it is the first turn of a resumed process on an old CLI, which counts
      // from 0.
      const totalCostUsd = state.cost.totalCostUsd + (ofTurn ?? total ?? 0);
      const { context: _earlier, ...rest } = state;
      const context = present({ context: message.context });
      const counted = { ...rest, ...context, cost: { totalCostUsd, latest: message } };
      const position = turn_id === undefined ? undefined : positionOfTurn(state, turn_id);
      if (position === undefined) return counted;
      const { duration_ms: durationMs, num_turns: numTurns, usage = {} } = message;
      const cost: TurnCost = present({
        costUsd: ofTurn,
        durationMs,
        numTurns,
        inputTokens: usage.input_tokens,
        outputTokens: usage.output_tokens,
        cacheReadTokens: usage.cache_read_input_tokens,
        cacheCreationTokens: usage.cache_creation_input_tokens,
      });
      return changeEntry(counted, position, (entry) => ({ ...entry, cost }));
    },
  ),
] as const;

function afterLimitOf({ messageId, afterLimit }: QueuedMessage): Turn["afterLimit"] {
  return afterLimit && { messageId, ...afterLimit };
}

/** A suggestion is for the next message only. */
function withoutSuggestion(state: ReducedSession): ReducedSession {
  if (state.promptSuggestion === undefined) return state;
  const { promptSuggestion: _used, ...rest } = state;
  return rest;
}

/** A turn that ends so was ended on request. */
const REQUESTED: ReadonlySet<string> = new Set(["session_command", "shutdown"]);

/** The final values of a turn. */
type FinalTurn = Pick<Turn, "trigger"> & {
  readonly turn_id: string;
  readonly message_ids: readonly string[];
};

function endTurn(
  state: ReducedSession,
  { turn_id, message_ids: messageIds, trigger }: FinalTurn,
  status: Turn["status"],
  end: TurnEnd,
): ReducedSession {
  const position = positionOfTurn(state, turn_id);
  if (position === undefined) return state;
  const model = state.model ?? state.metadata?.model;
  const ended = { kind: "turn", messageIds, trigger, status, end, ...present({ model }) } as const;
  return changeEntry(state, position, (entry) =>
    isOpenTurn(entry)
      ? { ...entry, ...endedEntry(state, entry, status === "cancelled"), ...ended }
      : entry,
  );
}

/** Turns that were open when their bridge ended without a word. */
export function withoutOpenTurns(state: ReducedSession): ReducedSession {
  return state.openEntries.reduce((ended, entry) => {
    if (!isOpenTurn(entry)) return ended;
    const { turnId: turn_id, messageIds: message_ids, trigger } = entry;
    const end = { subtype: "exited", isError: true };
    return endTurn(ended, { turn_id, message_ids, trigger }, "cancelled", end);
  }, state);
}
