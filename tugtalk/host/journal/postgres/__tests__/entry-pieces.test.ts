/** How pieces of many journals are read by few statements. */
import { expect, test } from "bun:test";
import { type FoundEntry, gatherEntryPieces } from "../entry-pieces.ts";

const after = { epoch: 1, seq: 1 };

function entriesOf(place: number, seqs: readonly number[], end: number): readonly FoundEntry[] {
  const head = { place, epoch: 1, seq: end, start_seq: 0 };
  return seqs.map((entry) => ({ ...head, entry, type: "t", data: `"${entry}"` }));
}

/** The requests in one turn of the loop, with the rows that come for them. */
async function answered(ids: readonly string[], rows: readonly FoundEntry[], maxChars = 100) {
  const asked: (readonly string[])[] = [];
  const pieces = gatherEntryPieces(async (all) => {
    asked.push(all.map(({ id }) => id));
    return rows;
  });
  const answers = await Promise.all(ids.map((id) => pieces.add({ id, after, maxChars })));
  const seqs = answers.map((one) => (one === "gap" ? one : one.entries.map(({ seq }) => seq)));
  return { asked, seqs, isLast: answers.map((one) => one !== "gap" && one.isLast) };
}

test("requests of one turn of the loop are read by one statement, each by itself, a session also twice", async () => {
  const rows = [...entriesOf(1, [2, 3], 3), ...entriesOf(2, [2], 4), ...entriesOf(3, [2], 2)];
  const { asked, seqs, isLast } = await answered(["a", "b", "a"], rows);
  expect(asked).toEqual([["a", "b", "a"]]);
  expect(seqs).toEqual([[2, 3], [2], [2]]);
  expect(isLast).toEqual([true, false, true]);
});

test("a session that is gone, or has lost the next entries, is a gap, and does not keep the others from theirs", async () => {
  const trimmed = entriesOf(2, [9], 9).map((row) => ({ ...row, start_seq: 8 }));
  const nothing = { place: 3, epoch: 1, seq: 1, start_seq: 0, entry: null, type: "", data: "" };
  const { seqs, isLast } = await answered(
    ["gone", "trimmed", "quiet", "b"],
    [...trimmed, nothing, ...entriesOf(4, [2], 2)],
  );
  expect(seqs).toEqual(["gap", "gap", [], [2]]);
  expect(isLast).toEqual([false, false, true, true]);
});

test("a piece ends before its limit, and has at least one entry", async () => {
  const { seqs, isLast } = await answered(["a"], entriesOf(1, [2, 3], 3), 1);
  expect(seqs).toEqual([[2]]);
  expect(isLast).toEqual([false]);
});
