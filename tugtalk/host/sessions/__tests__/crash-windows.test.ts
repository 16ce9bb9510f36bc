/** A host that is killed between two commits of the same step. */
import { expect, test } from "bun:test";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { SessionHarness } from "./support/session-harness.ts";

/** A journal in memory; after `die` it takes so many commits more, until `revive`. */
function mortalJournal() {
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

test("a message that waits is shown as held, whatever was the last commit before the kill", async () => {
  for (const commits of [1, 2, 3]) {
    const { journal, die, revive } = mortalJournal();
    const harness = new SessionHarness(journal);
    const { id } = await harness.create();
    const session = harness.sessions.get(id);
    await session.end();
    die(commits);
    await session.message({ message: "One" }).catch(() => {});
    revive();
    harness.restart();
    expect(harness.sessions.list()).toMatchObject([{ id, queued: 1 }]);
    expect(harness.sessions.get(id).snapshot().state.isQueueHeld).toBe(true);
  }
});
