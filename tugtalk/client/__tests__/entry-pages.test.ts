/** Pages of the transcript, from a made-up session of many turns. */
import { describe, expect, test } from "bun:test";
import { entriesBefore, latestEntries, prependEntries } from "../entry-pages.ts";
import { entriesOf, reduced } from "../reducer/__tests__/reduced.ts";
import type { SessionInput } from "../session-input.ts";

const END = { result: "success", subtype: "success", is_error: false, permission_denials: [] };

function opening(number: number): SessionInput {
  return { type: "turn_started", turn_id: `turn-${number}`, message_ids: [], trigger: "user" };
}

/** A turn with a text and a call of a tool. */
function turn(number: number): SessionInput[] {
  const block = { turn_id: `turn-${number}`, msg_id: `msg-${number}`, status: "complete" } as const;
  const call = { tool_use_id: `call-${number}`, tool_name: "Bash", input: {} };
  const cost = {
    total_cost_usd: number,
    turn_cost_usd: 1,
    num_turns: 1,
    duration_ms: 1,
    usage: {},
  };
  const { turn_id } = block;
  return [
    opening(number),
    { type: "assistant_text", ...block, block_index: 0, text: "words", is_partial: false },
    { type: "tool_use", ...block, block_index: 1, ...call },
    { type: "cost_update", turn_id, ...cost },
    { type: "turn_complete", turn_id, message_ids: [], trigger: "user", ...END },
  ];
}

function turns(count: number): SessionInput[][] {
  return Array.from({ length: count }, (_, at) => turn(at + 1));
}

const whole = reduced(turns(12).flat());

describe("the latest entries", () => {
  const latest = latestEntries(whole, 5);

  test("the newest ones are kept, with the cursor for the others", () => {
    expect(entriesOf(latest)).toEqual(entriesOf(whole).slice(-5));
    expect(latest.before).toBe("turn-8");
  });

  test("a count that is not exceeded leaves the same state", () => {
    expect(latestEntries(whole, 12)).toBe(whole);
  });

  test("items between turns are not counted", () => {
    const remark = { type: "informational", content: "a remark", level: "info" };
    const state = reduced(turns(4).flatMap((one) => [...one, remark]));
    const kinds = entriesOf(latestEntries(state, 2)).map(({ kind }) => kind);
    expect(kinds).toEqual(["turn", "interlude", "turn", "interlude"]);
  });

  test("an open turn and the entries after it stay, however few are wanted", () => {
    const open = reduced([opening(13), ...turn(14)], whole);
    const ids = entriesOf(latestEntries(open, 1)).map(({ key }) => key);
    expect(ids).toEqual(["turn-13", "turn-14"]);
  });

  test("the entry in which a running agent was started stays, until the agent ends", () => {
    const task = { task_id: "x", tool_use_id: "call-9", subagent_type: "general-purpose" };
    const running = reduced([{ type: "task_started", ...task }], whole);
    expect(latestEntries(running, 1).before).toBe("turn-9");
    const ended = reduced(
      [{ type: "task_updated", ...task, patch: { status: "killed" } }],
      running,
    );
    expect(latestEntries(ended, 1).before).toBe("turn-12");
  });

  test("the messages that follow are applied to them as to the whole", () => {
    const next = turn(13);
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

  test("the first page of a shortened state leads to the entries that it has left out", () => {
    expect(entriesBefore(latest, "turn-10", 5)).toMatchObject({ before: "turn-8" });
  });
});
