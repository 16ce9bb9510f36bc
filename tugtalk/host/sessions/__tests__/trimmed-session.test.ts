import { expect, test } from "bun:test";
import type { Cursor } from "../../../client/host-api.ts";
import { initialSession, reduceSession } from "../../../client/reduce-session.ts";
import type { ReducedSession } from "../../../client/reduced-session.ts";
import { sessionRow } from "../../journal/__tests__/support/samples.ts";
import type { Journal } from "../../journal/journal.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { loadState } from "../loaded-state.ts";
import type { NewEntry } from "../session-change.ts";
import { SessionLog } from "../session-log.ts";

const ID = "session";
const COUNTS = { pending: 0, queued: 0 };
const TEXT = "x".repeat(500);

/** The log of a new session whose journal may take 300 kB. */
function openLog(journal: Journal): SessionLog {
  journal.create(sessionRow(ID));
  const loaded = journal.load(ID);
  if (loaded === undefined) throw new Error("the session was not created");
  const ports = {
    journal,
    now: () => 1,
    counts: () => COUNTS,
    onRow: () => {},
    onFrames: () => {},
  };
  return new SessionLog(ports, loaded);
}

/** A turn in which Claude says `TEXT` three times. */
function turnMessages(turn_id: string): readonly NewEntry[] {
  const named = { turn_id, trigger: "user", message_ids: [] };
  const block = { turn_id, msg_id: `msg-${turn_id}` };
  const end = { result: "success", subtype: "success", is_error: false };
  return [
    { type: "turn_started", data: named },
    ...[0, 1, 2].map((block_index) => ({
      type: "assistant_text",
      data: { ...block, block_index, text: TEXT, status: "complete", is_partial: false },
    })),
    { type: "turn_complete", data: { ...named, ...end } },
  ];
}

/** A client that comes back now and then, with the cursor of the last entry that it has. */
class Follower {
  state: ReducedSession = initialSession;
  gaps = 0;
  #cursor: Cursor = { epoch: 0, seq: 0 };

  follow(journal: Journal, log: SessionLog): void {
    const read = journal.entriesAfter(ID, this.#cursor, Number.MAX_SAFE_INTEGER);
    if (read === "gap") {
      this.gaps += 1;
      this.state = log.state;
      this.#cursor = log.cursor;
      return;
    }
    for (const { epoch, seq, type, data } of read) {
      this.state = reduceSession(this.state, { e: epoch, q: seq, t: type, d: JSON.parse(data) });
      this.#cursor = { epoch, seq };
    }
  }
}

function textsOf(state: ReducedSession): string[] {
  return [...state.entries, ...state.openEntries].map(
    ({ key, items }) => `${key}: ${items.length}`,
  );
}

test("a session whose journal is trimmed again and again loads as what it was, and its clients follow", () => {
  const journal = openJournal(":memory:", { maxSessionBytes: 300_000, now: () => 1_000 });
  const log = openLog(journal);
  const follower = new Follower();
  const epochs = new Set<number>();
  for (let turn = 0; turn < 400; turn += 1) {
    for (const message of turnMessages(`t${turn}`)) log.append([message]);
    epochs.add(log.cursor.epoch);
    if (turn % 16 === 0) {
      expect(loadState(journal, ID).state).toEqual(log.state);
      follower.follow(journal, log);
      expect(textsOf(follower.state).slice(-50)).toEqual(textsOf(log.state).slice(-50));
    }
  }
  expect(epochs.size).toBeGreaterThan(3);
  // The first time it comes without a cursor.
  expect(follower.gaps).toBeGreaterThan(1);
  expect(follower.gaps).toBeLessThanOrEqual(epochs.size + 1);
  const first = log.state.entries[0]?.key ?? "";
  const older = journal.turnsBefore(ID, undefined, 400).entries.map(({ key }) => key);
  const count = Number(first.slice(1));
  expect(older.length).toBeGreaterThan(20);
  expect(older).toEqual(older.map((_, index) => `t${count - older.length + index}`));
});

test("a turn without an end is trimmed, too", () => {
  const journal = openJournal(":memory:", { maxSessionBytes: 300_000, now: () => 1_000 });
  const log = openLog(journal);
  const [started, said] = turnMessages("t1");
  if (started === undefined || said === undefined) throw new Error("a turn has a start and a text");
  log.append([started]);
  const batch = Array.from({ length: 1_000 }, () => said);
  for (let count = 0; count < 22; count += 1) log.append(batch);
  expect(journal.start(ID).seq).toBeGreaterThan(19_000);
  const { openEntries } = loadState(journal, ID).state;
  expect(openEntries).toMatchObject([{ kind: "turn", status: "running", items: [{ text: TEXT }] }]);
  expect(openEntries).toEqual(log.state.openEntries);
});
