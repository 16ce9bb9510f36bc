/** A host that is killed between two commits of the same step. */
import { expect, test } from "bun:test";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { turnComplete } from "./support/bridge-words.ts";
import { copiedJournal } from "./support/copied-journal.ts";
import { openInTurn, openSession, SessionHarness, settled } from "./support/session-harness.ts";

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

test("the cost of a turn is in its session and in its day at once, whatever was the last commit before the kill", async () => {
  const { journal, copies } = copiedJournal();
  const { harness } = await openInTurn(journal);
  const cost = { type: "cost_update", turn_id: "t1", turn_cost_usd: 0.5, total_cost_usd: 0.5 };
  await harness.say(cost, turnComplete());
  const spent = new Set<number>();
  for (const copy of copies) {
    const left = openJournal(copy);
    const [row] = await left.sessions();
    const ofDays = (await left.costs(0)).reduce((sum, { usd }) => sum + usd, 0);
    expect(ofDays).toBe(row?.summary.costUsd ?? Number.NaN);
    spent.add(ofDays);
    left.close();
  }
  expect([...spent]).toEqual([0, 0.5]);
});
