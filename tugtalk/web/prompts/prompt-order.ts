/** Which prompt a person is shown, and which wait behind it. Pure. */
import type { OpenPrompt } from "../../src/messages/prompt-models.ts";

/** Approvals first, because the work stands still for a moment's decision. */
const KINDS: readonly OpenPrompt["kind"][] = ["permission", "question", "elicitation", "dialog"];

/** By kind, the oldest of a kind first; but the one that a person works on stays in front. */
export function inOrder(
  prompts: readonly OpenPrompt[],
  chosenId: string | undefined,
): readonly OpenPrompt[] {
  const place = ({ requestId, kind }: OpenPrompt) =>
    requestId === chosenId ? -1 : KINDS.indexOf(kind);
  return prompts.toSorted((one, other) => place(one) - place(other));
}
