/** The open prompts of the sessions that are not shown. Pure. */
import type { PendingPrompt } from "../../client/host-api.ts";
import type { BoardState } from "../store/board-state.ts";

const TYPES: readonly PendingPrompt["type"][] = ["approval", "question", "elicitation", "dialog"];

/** Approvals first, the oldest of a kind first. */
export function othersPending(
  { pending }: Pick<BoardState, "pending">,
  shownId: string | undefined,
): readonly PendingPrompt[] {
  return pending
    .filter(({ sessionId }) => sessionId !== shownId)
    .toSorted((one, other) => rankOf(one) - rankOf(other) || one.createdAt - other.createdAt);
}

function rankOf({ type }: PendingPrompt): number {
  return TYPES.indexOf(type);
}
