/** Which prompt a person is shown, and which wait behind it. Pure. */
import type { OpenPrompt } from "../../client/prompt-models.ts";
import type { AllSessions } from "../../client/stores/all-sessions.ts";
import type { SessionPrompt } from "../../client/stores/session-prompt.ts";

/** Approvals first, because the work stands still for a moment's decision. */
const KINDS: readonly OpenPrompt["kind"][] = ["permission", "question", "elicitation", "dialog"];

/** By kind, the oldest of a kind first. The prompt that a person works on stays in front. */
export function inOrder(
  prompts: readonly OpenPrompt[],
  chosenId: string | undefined,
): readonly OpenPrompt[] {
  const rank = (prompt: OpenPrompt) => (prompt.requestId === chosenId ? -1 : rankOf(prompt));
  return prompts.toSorted((one, other) => rank(one) - rank(other));
}

/** The open prompts of the sessions that are not shown: by kind, the oldest of a kind first. */
export function othersPending(
  { pending }: Pick<AllSessions, "pending">,
  shownId: string | undefined,
): readonly SessionPrompt[] {
  return pending
    .filter(({ sessionId }) => sessionId !== shownId)
    .toSorted((one, other) => rankOf(one) - rankOf(other) || one.createdAt - other.createdAt);
}

function rankOf({ kind }: OpenPrompt): number {
  return KINDS.indexOf(kind);
}
