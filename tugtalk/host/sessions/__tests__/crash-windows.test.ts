/** A host that is killed between two commits of the same step. */
import { expect, test } from "bun:test";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { copiedJournal } from "./support/copied-journal.ts";
import { openSession, SessionHarness, settled } from "./support/session-harness.ts";

test("a message that waits is shown as held, whatever was the last commit before the kill", async () => {
  const { journal, copies } = copiedJournal();
  const { session } = await openSession(journal);
  await session.end();
  await settled();
  const first = copies.length;
  await session.message({ message: "One" });
  const left = copies.slice(first, first + 3);
  expect(left).toHaveLength(3);
  for (const copy of left) {
    const { sessions } = await SessionHarness.open(openJournal(copy));
    expect(sessions.list()).toMatchObject([{ id: session.id, queued: 1 }]);
    expect((await sessions.get(session.id).snapshot()).state.isQueueHeld).toBe(true);
  }
});
