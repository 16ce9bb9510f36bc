/** The texts that the commit of some steps adds to the index. Pure. */
import type { Commit } from "../journal/journal.ts";
import { newTexts, timedTexts } from "../journal/session-texts.ts";
import type { SessionState } from "./session-state.ts";
import type { StepDraft } from "./step-draft.ts";

type Indexing = Pick<Commit, "texts" | "indexesState">;

export function indexOf(
  { reduced: before }: Pick<SessionState, "reduced">,
  drafts: readonly StepDraft[],
): Indexing {
  const last = drafts.at(-1);
  if (last === undefined) return {};
  const { at, state } = last;
  if (!drafts.some(({ indexesState }) => indexesState))
    return { texts: newTexts(before, state.reduced).map((text) => ({ ...text, at })) };
  const { entries, openEntries } = state.reduced;
  const texts = timedTexts([...entries, ...openEntries], state.row.createdAt);
  return { texts, indexesState: true };
}
