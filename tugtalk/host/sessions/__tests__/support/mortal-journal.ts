/** A journal in memory whose host is killed between two commits. */
import { openJournal } from "../../../journal/sqlite-journal.ts";

/** After `die` it takes so many commits more, until `revive`. */
export function mortalJournal() {
  const journal = openJournal(":memory:");
  const commit = journal.commit.bind(journal);
  let left = Number.POSITIVE_INFINITY;
  journal.commit = (id, change) => {
    if (left === 0) throw new Error("killed");
    left -= 1;
    return commit(id, change);
  };
  return {
    journal,
    die: (commits: number) => {
      left = commits;
    },
    revive: () => {
      left = Number.POSITIVE_INFINITY;
    },
  };
}
