/**
 * The end of a turn: Claude's `result` as `cost_update` and `turn_complete`. Protocol reference
 * §3d, §10, §11, §12; PN-2, PN-6.
 */
import { definedFields } from "../messages/envelope.ts";
import type { TurnComplete, TurnTrigger } from "../messages/turn-messages.ts";
import type { ResultMessage } from "../protocol-types.ts";
import type { CostUpdate, OutboundDraft } from "../types.ts";

/** What the session knows of the turn that a result ends. */
export type TurnView = {
  readonly turn_id: string;
  readonly message_ids: readonly string[];
  readonly trigger: TurnTrigger;
  /** The host asked for an end: by interrupt, or by a denial with `interrupt`. */
  readonly isInterrupted: boolean;
};

/** What the session knows of the turn's cost. */
export type Spending = Pick<CostUpdate, "turn_cost_usd" | "context">;

/** Diagnostics of the CLI's makers, which are not for people (§10). */
const DIAGNOSTIC = "[ede_diagnostic]";

/** The last two messages of a turn; an error where Claude ends a turn that never began. */
export function fromResult(
  event: ResultMessage,
  turn?: TurnView,
  spending: Spending = {},
): OutboundDraft[] {
  if (turn === undefined) return [withoutTurn(event)];
  return [costUpdate(event, turn, spending), turnComplete(event, turn)];
}

function withoutTurn(event: ResultMessage): OutboundDraft {
  const words = event.errors?.join("; ") || event.result;
  const end = `Claude ended a turn that was not open (${event.subtype})`;
  return {
    type: "error",
    code: "internal",
    message: words ? `${end}: ${words}` : end,
    recoverable: true,
    source: "claude",
  };
}

function costUpdate(
  event: ResultMessage,
  { turn_id }: TurnView,
  spending: Spending,
): OutboundDraft {
  return definedFields({
    type: "cost_update",
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
    terminal_reason: event.terminal_reason ?? undefined,
    stop_reason: event.stop_reason ?? undefined,
    text: event.result,
    permission_denials: event.permission_denials ?? [],
    structured_output: event.structured_output,
    message_ids: [...turn.message_ids],
    trigger: turn.trigger,
    origin: event.origin ?? undefined,
  });
}

/**
 * Old CLIs call an interrupted turn no error, new ones do; a success that was quicker stays one. An
 * interrupt in a Stop hook ends the turn as if the hook had prevented it, but without its text (V197, V330).
 */
function outcome(event: ResultMessage, isInterrupted: boolean): TurnComplete["result"] {
  if (event.terminal_reason?.startsWith("aborted") === true) return "cancelled";
  if (isInterrupted && event.subtype === "error_during_execution") return "cancelled";
  const hasPrevented = event.terminal_reason === "stop_hook_prevented";
  if (isInterrupted && hasPrevented && event.result === "") return "cancelled";
  return event.is_error || event.subtype !== "success" ? "error" : "success";
}
