/** A host that is killed between two commits of the same step. */
import { expect, test } from "bun:test";
import { mortalJournal } from "./support/mortal-journal.ts";
import { SessionHarness } from "./support/session-harness.ts";

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
