/**
 * The end of a turn: Claude's `result` as `cost_update` and `turn_complete`. Protocol reference
 * §3d, §10, §11, §12.
 */
import { definedFields } from "../messages/envelope.ts";
import { errorMessage } from "../messages/errors.ts";
import type { TurnComplete, TurnTrigger } from "../messages/turn-messages.ts";
import type { ResultMessage } from "../protocol-types.ts";
import type { CostUpdate, OutboundDraft } from "../types.ts";

/** The turn that a result ends. */
export type TurnView = {
  readonly turn_id: string;
  readonly message_ids: readonly string[];
  readonly trigger: TurnTrigger;
  /** The host asked for its end: by an interrupt, or by a denial with `interrupt`. */
  readonly isInterrupted: boolean;
};

/** The cost of a turn, which Claude does not report by itself. */
export type Spending = Pick<CostUpdate, "turn_cost_usd" | "context">;

/** The prefix of diagnostics of the CLI, which are not for users (§10). */
const DIAGNOSTIC = "[ede_diagnostic]";

/** The last two messages of a turn, or an error if no turn is open. */
export function fromResult(
  event: ResultMessage,
  turn?: TurnView,
  spending: Spending = {},
): OutboundDraft[] {
  if (turn === undefined) return [missingTurn(event)];
  return [costUpdate(event, turn, spending), turnComplete(event, turn)];
}

function missingTurn({ errors, result, subtype }: ResultMessage): OutboundDraft {
  const detail = errors?.join("; ") || result;
  const end = `Claude ended a turn that was not open (${subtype})`;
  const message = detail ? `${end}: ${detail}` : end;
  return errorMessage("internal", message, { source: "claude" });
}

function costUpdate(event: ResultMessage, { turn_id }: TurnView, spending: Spending) {
  return definedFields({
    type: "cost_update" as const,
    turn_id,
    total_cost_usd: event.total_cost_usd,
    modelUsage: event.modelUsage,
    duration_api_ms: event.duration_api_ms,
    usage: event.usage,
    num_turns: event.num_turns,
    duration_ms: event.duration_ms,
    ...spending,
  });
}

function turnComplete(event: ResultMessage, turn: TurnView): OutboundDraft {
  const errors = event.errors?.filter((error) => !error.startsWith(DIAGNOSTIC));
  return definedFields({
    type: "turn_complete",
    turn_id: turn.turn_id,
    result: outcome(event, turn.isInterrupted),
    subtype: event.subtype,
    is_error: event.is_error,
    errors: errors?.length === 0 ? undefined : errors,
    api_error_status: event.api_error_status ?? undefined,
    api_error_type: event.api_error_type ?? undefined,
    terminal_reason: event.terminal_reason ?? undefined,
    stop_reason: event.stop_reason ?? undefined,
    text: event.result,
    permission_denials: event.permission_denials ?? [],
    structured_output: event.structured_output,
    timings: timingsOf(event),
    subagent_stats: event.subagent_stats,
    message_ids: [...turn.message_ids],
    trigger: turn.trigger,
    origin: event.origin ?? undefined,
  });
}

function timingsOf(event: ResultMessage): TurnComplete["timings"] {
  const { time_to_request_ms, ttft_stream_ms, ttft_ms, first_content_frame_ms } = event;
  const timings = { time_to_request_ms, ttft_stream_ms, ttft_ms, first_content_frame_ms };
  const known = definedFields(timings);
  return Object.keys(known).length === 0 ? undefined : known;
}

/**
 * An interrupted turn has `is_error` on new CLIs only. A success before the interrupt stays a success. An
 * interrupt in a Stop hook ends the turn as if the hook had prevented it, but without a text (V197, V330).
 */
function outcome(event: ResultMessage, isInterrupted: boolean): TurnComplete["result"] {
  if (event.terminal_reason?.startsWith("aborted") === true) return "cancelled";
  if (isInterrupted && event.subtype === "error_during_execution") return "cancelled";
  const hasPrevented = event.terminal_reason === "stop_hook_prevented";
  if (isInterrupted && hasPrevented && event.result === "") return "cancelled";
  return event.is_error || event.subtype !== "success" ? "error" : "success";
}
