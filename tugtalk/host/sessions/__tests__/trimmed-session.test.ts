/** The journal of a session that is trimmed again and again. `stream` has the same test for its clients. */
import { expect, test } from "bun:test";
import type { OutboundMessage } from "../../../src/types.ts";
import { sessionRow } from "../../journal/__tests__/support/samples.ts";
import type { Journal } from "../../journal/journal.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { loadState } from "../loaded-state.ts";
import { SessionRunner } from "../session-runner.ts";
import { said, turnComplete, turnStarted } from "./support/bridge-words.ts";
import type { Draft } from "./support/fake-bridge.ts";

const ID = "session";
const TEXT = "x".repeat(500);

/** A new session with a journal limit of 300 kB and a listener. */
async function openRunner(journal: Journal): Promise<SessionRunner> {
  const row = sessionRow(ID);
  await journal.create(row);
  const ports = {
    now: () => 1,
    uptime: () => undefined,
    inUse: () => undefined,
    onCommit: () => {},
    perform: () => {},
  };
  const runner = new SessionRunner({ journal, ...ports, onDamage: () => {} }, row);
  runner.listen(() => {});
  return runner;
}

/** The bridge sends these messages in one tick. */
function say(runner: SessionRunner, messages: readonly Draft[]): Promise<void> {
  // The test writes the messages as the bridge would.
  return runner.push({ kind: "batch", messages: messages as unknown as OutboundMessage[] });
}

/** A turn in which Claude writes `TEXT` three times. */
function turnMessages(turn_id: string): readonly Draft[] {
  const texts = [0, 1, 2].map((block_index) => ({ ...said(turn_id, TEXT), block_index }));
  return [turnStarted(turn_id), ...texts, turnComplete(turn_id)];
}

test("a session whose journal is trimmed again and again loads as it was", async () => {
  const journal = openJournal(":memory:", { maxSessionBytes: 300_000, now: () => 1_000 });
  const runner = await openRunner(journal);
  const epochs = new Set<number>();
  for (let turn = 0; turn < 400; turn += 1) {
    for (const message of turnMessages(`t${turn}`)) await say(runner, [message]);
    const { reduced, cursor } = await runner.state();
    epochs.add(cursor.epoch);
    if (turn % 16 !== 0) continue;
    const loaded = (await loadState(journal, ID)).state;
    // Entries of an old epoch are not sent again, so the last applied one of them does not matter.
    const applied = { ...reduced.applied, others: loaded.applied.others };
    expect(loaded).toEqual({ ...reduced, applied });
  }
  expect(epochs.size).toBeGreaterThan(3);
  const first = (await runner.state()).reduced.entries[0]?.key ?? "";
  const older = (await journal.turnsBefore(ID, undefined, 400)).entries.map(({ key }) => key);
  const count = Number(first.slice(1));
  expect(older.length).toBeGreaterThan(20);
  expect(older).toEqual(older.map((_, index) => `t${count - older.length + index}`));
});

test("a turn without an end is trimmed, too", async () => {
  const journal = openJournal(":memory:", { maxSessionBytes: 300_000, now: () => 1_000 });
  const runner = await openRunner(journal);
  await say(runner, [turnStarted("t1")]);
  const batch = Array.from({ length: 1_000 }, () => said("t1", TEXT));
  for (let count = 0; count < 22; count += 1) await say(runner, batch);
  expect((await journal.range(ID)).start.seq).toBeGreaterThan(19_000);
  const { openEntries } = (await loadState(journal, ID)).state;
  expect(openEntries).toMatchObject([{ kind: "turn", status: "running", items: [{ text: TEXT }] }]);
  expect(openEntries).toEqual((await runner.state()).reduced.openEntries);
});
