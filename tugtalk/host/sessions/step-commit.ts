/** The writes of steps that are committed together, and the state after them. Pure. */
import type { Commit } from "../journal/journal.ts";
import { indexOf } from "./index-steps.ts";
import { bounded } from "./latest-turns.ts";
import type { NewEntry, SessionState } from "./session-state.ts";
import { newCost, withSummary } from "./session-summary.ts";
import type { StepDraft } from "./step-draft.ts";

export type StepCommit = {
  readonly change: Commit;
  readonly state: SessionState;
  readonly entries: readonly NewEntry[];
};

/** The commit; undefined without a step. */
export function commitOf(
  before: SessionState,
  drafts: readonly StepDraft[],
): StepCommit | undefined {
  const last = drafts.at(-1);
  if (last === undefined) return undefined;
  const entries = drafts.flatMap((draft) => draft.entries);
  const row = withSummary(last.state.row, last.state.reduced, { entries, at: last.at });
  const { state, snapshot, turns = [] } = bounded({ ...last.state, row });
  const change = {
    entries: entries.map(({ type, data }) => ({ type, data: JSON.stringify(data) })),
    ...(row !== before.row && { row }),
    ...rowsOf(drafts),
    turns: [...drafts.flatMap((draft) => draft.turns), ...turns],
    ...indexOf(before, drafts),
    ...(snapshot !== undefined && { snapshot }),
    ...newCost(before.row, row, last.at),
  };
  return { change, state, entries };
}

function rowsOf(drafts: readonly StepDraft[]): Commit {
  return {
    attached: new Map(drafts.flatMap(({ attached }) => [...attached])),
    detached: drafts.flatMap(({ detached }) => detached),
    endedMessages: drafts.flatMap(({ endedMessages }) => endedMessages),
    replies: drafts.flatMap(({ replies }) => replies),
    transcript: drafts.flatMap(({ transcript }) => transcript),
  };
}

/** Whether there is nothing to write. */
export function isEmpty(change: Commit): boolean {
  const { row, snapshot, attached, indexesState } = change;
  if (row !== undefined || snapshot !== undefined) return false;
  const { entries, turns, detached, endedMessages, replies, transcript } = change;
  const lists = [entries, turns, detached, endedMessages, replies, transcript];
  return lists.every((list = []) => list.length === 0) && !attached?.size && !indexesState;
}
