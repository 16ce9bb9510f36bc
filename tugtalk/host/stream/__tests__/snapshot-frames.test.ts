/** A snapshot as one frame, or as parts. */
import { expect, test } from "bun:test";
import { addSnapshotPart, type SnapshotParts } from "../../../client/snapshot-parts.ts";
import type { Frame } from "../../api/frame.ts";
import { MAX_WHOLE_CHARS, PART_CHARS, snapshotFrames } from "../snapshot-frames.ts";

/** JSON of this length. */
function dataOf(length: number, character: string): string {
  const [before, after] = ['{"state":"', '"}'];
  const room = length - before.length - after.length;
  return before + character.repeat(room / character.length).padEnd(room, "-") + after;
}

function partsIn(frames: readonly Frame[]): readonly Record<string, unknown>[] {
  return frames.map(({ data }) => JSON.parse(data));
}

test("a snapshot of ordinary size is one frame", () => {
  const data = dataOf(MAX_WHOLE_CHARS, "x");
  expect([...snapshotFrames("one", data)]).toEqual([{ session: "one", type: "snapshot", data }]);
});

test.each([
  ["one character more", MAX_WHOLE_CHARS + 1, "x"],
  ["characters of two units", 3 * MAX_WHOLE_CHARS + 1, "\u{1f600}"],
  ["characters of two units, at an odd place", 3 * MAX_WHOLE_CHARS, "\u{1f600}"],
  ["15 MiB", 15 * 1024 * 1024, "\\n"],
])("a larger one with %s is parts, of which none splits a character", (_, length, character) => {
  const data = dataOf(length, character);
  const frames = [...snapshotFrames("one", data)];
  const parts = partsIn(frames);
  expect(new Set(frames.map(({ type, session }) => `${type} of ${session}`))).toEqual(
    new Set(["snapshot_part of one"]),
  );
  expect(parts.map(({ part }) => part)).toEqual(parts.map((__, index) => index + 1));
  expect(new Set(parts.map(({ parts: count }) => count))).toEqual(new Set([parts.length]));
  const texts = parts.map(({ text }) => String(text));
  expect(texts.join("") === data).toBe(true);
  expect(texts.filter((text) => text.length > PART_CHARS || !text.isWellFormed())).toEqual([]);
});

test("parts that follow each other are the snapshot, and others are nothing", () => {
  const data = dataOf(2 * MAX_WHOLE_CHARS, "x");
  const parts = partsIn([...snapshotFrames("one", data)]);
  const joined = (given: readonly unknown[]) => {
    let known: SnapshotParts = [];
    return given.flatMap((part) => {
      const added = addSnapshotPart(known, part);
      known = added.parts;
      return added.snapshot ?? [];
    });
  };
  const whole = [JSON.parse(data)];
  expect(joined(parts)).toEqual(whole);
  expect(joined([...parts.slice(0, 3), ...parts])).toEqual(whole);
  expect(joined(parts.toSpliced(2, 1))).toEqual([]);
  expect(joined(parts.slice(1))).toEqual([]);
  expect(joined([{ part: 1, parts: 1, text: "{" }, { part: 1, parts: 1 }, null])).toEqual([]);
});
