/** Pages of the transcript, from a made-up session of many turns. */
import { describe, expect, test } from "bun:test";
import { MixedJournal } from "../../bench/mixed-journal.ts";
import { entriesBefore, latestEntries, prependEntries } from "../entry-pages.ts";
import { entriesOf, reduced } from "../reducer/__tests__/reduced.ts";

const journal = new MixedJournal();
const whole = reduced([
  ...journal.start(),
  ...Array.from({ length: 12 }, () => journal.turn()).flat(),
]);

describe("the latest entries", () => {
  const latest = latestEntries(whole, 5);

  test("the newest ones are kept, with the cursor for the others", () => {
    expect(entriesOf(latest)).toEqual(entriesOf(whole).slice(-5));
    expect(latest.before).toBe("turn-8");
  });

  test("a count that is not exceeded leaves the same state", () => {
    expect(latestEntries(whole, 12)).toBe(whole);
  });

  test("what happened between turns is not counted", () => {
    const remark = { type: "informational", content: "a remark", level: "info" };
    const other = new MixedJournal();
    const start = reduced(other.start());
    const turns = Array.from({ length: 4 }, () => [...other.turn(), remark]).flat();
    const state = reduced(turns, start);
    const kinds = entriesOf(latestEntries(state, 2)).map(({ kind }) => kind);
    expect(kinds).toEqual(["turn", "interlude", "turn", "interlude"]);
  });

  test("an open turn and what came after it stay, however few are wanted", () => {
    const { turn_id, opening } = journal.open();
    const open = reduced([...opening, ...journal.turn()], whole);
    const ids = entriesOf(latestEntries(open, 1)).map(({ key }) => key);
    expect(ids).toEqual([turn_id, "turn-14"]);
  });

  test("the entry in which a running agent was started stays, until the agent ends", () => {
    const task = { task_id: "x", tool_use_id: "toolu_turn-9_0", subagent_type: "general-purpose" };
    const running = reduced([{ type: "task_started", ...task }], whole);
    expect(latestEntries(running, 1).before).toBe("turn-9");
    const ended = reduced(
      [{ type: "task_updated", ...task, patch: { status: "killed" } }],
      running,
    );
    expect(latestEntries(ended, 1).before).toBe("turn-12");
  });

  test("the messages that follow are applied to them as to the whole", () => {
    const next = journal.turn();
    const [short, long] = [reduced(next, latest), reduced(next, whole)];
    expect(entriesOf(short)).toEqual(entriesOf(long).slice(-6));
    expect(short.cost).toEqual(long.cost);
  });
});

describe("older entries", () => {
  const latest = latestEntries(whole, 5);

  test("pages put in front one by one give the whole transcript", () => {
    let state = latest;
    for (let pages = 0; state.before !== undefined && pages < 10; pages += 1) {
      const page = entriesBefore(whole, state.before, 3);
      if (page === undefined) throw new Error("the cursor is unknown");
      expect(page.entries.length).toBeLessThanOrEqual(3);
      state = prependEntries(state, page);
    }
    expect(state).toEqual(whole);
  });

  test("a page that was put in front before adds nothing", () => {
    const page = entriesBefore(whole, "turn-8", 3) ?? { entries: [] };
    const state = prependEntries(latest, page);
    expect(prependEntries(state, page)).toBe(state);
  });

  test("a cursor that names no entry has no page", () => {
    expect(entriesBefore(whole, "lost", 3)).toBeUndefined();
  });

  test("the first page of a shortened state leads to what it has left out", () => {
    expect(entriesBefore(latest, "turn-10", 5)).toMatchObject({ before: "turn-8" });
  });
});
