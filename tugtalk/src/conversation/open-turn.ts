/** One open turn, and the messages about its start and about an end without a result. */

import type { TurnCancelled, TurnTrigger } from "../messages/turn-messages.ts";
import type { OutboundDraft } from "../types.ts";

export type OpenTurn = {
  readonly turnId: string;
  trigger: TurnTrigger;
  isInterrupted: boolean;
  /** The main conversation has content in this turn. */
  hasContent: boolean;
  /** Its `system/init` has come. A second one begins another turn. */
  hasInit: boolean;
  /** Its last message is not confirmed yet. */
  lacksMessage: boolean;
};

export function newTurn(turnId: string, trigger: TurnTrigger): OpenTurn {
  const flags = { isInterrupted: false, hasContent: false, hasInit: false, lacksMessage: false };
  return { turnId, trigger, ...flags };
}

/** Whether Claude has begun the turn. */
export function hasBegun({ hasInit, hasContent }: OpenTurn): boolean {
  return hasInit || hasContent;
}

export function startedMessage(
  { turnId, trigger }: OpenTurn,
  message_ids: string[],
): OutboundDraft {
  return { type: "turn_started", turn_id: turnId, message_ids, trigger };
}

export function cancelledMessage(
  { turnId, trigger }: OpenTurn,
  fields: Pick<TurnCancelled, "reason" | "partial_result" | "message_ids">,
): OutboundDraft {
  return { type: "turn_cancelled", turn_id: turnId, ...fields, trigger };
}
