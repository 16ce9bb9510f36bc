import { expect, test } from "bun:test";
import type { Interlude } from "../../../client/transcript-models.ts";
import { type Chunk, Chunks } from "../chunks.ts";

const KNOWN = new Map<number, Interlude>();

/** The entry of a number, always the same object. */
function entry(number: number): Interlude {
  const known = KNOWN.get(number) ?? { kind: "interlude", key: `${number}`, items: [], agents: {} };
  KNOWN.set(number, known);
  return known;
}

function entries(from: number, to: number): readonly Interlude[] {
  return Array.from({ length: to - from }, (_, index) => entry(from + index));
}

/** Where each entry is. */
function placesIn(chunks: readonly Chunk[]): ReadonlyMap<string, number> {
  return new Map(chunks.flatMap(({ id, entries: own }) => own.map(({ key }) => [key, id])));
}

test("chunks have all entries in order, and know how many may change", () => {
  const chunks = new Chunks().of(entries(0, 39), entries(39, 41));
  expect(chunks.flatMap((chunk) => chunk.entries)).toEqual([...entries(0, 41)]);
  expect(chunks.map(({ id, open }) => [id, open])).toEqual([
    [0, 0],
    [1, 1],
    [2, 1],
  ]);
});

test("an entry stays in its chunk when others come in front or at the end, or when it is finished", () => {
  const chunker = new Chunks();
  const before = placesIn(chunker.of(entries(100, 130), [entry(130)]));
  const after = placesIn(chunker.of(entries(57, 131), [entry(131)]));
  for (const [key, id] of before) expect(after.get(key)).toBe(id);
  expect(after.get("57")).toBe(-3);
});

test("a chunk in which nothing has changed is the same object", () => {
  const chunker = new Chunks();
  const [first, second] = chunker.of(entries(0, 40), []);
  const [still, other] = chunker.of([...entries(0, 39), { ...entry(39) }], []);
  expect(still).toBe(first);
  expect(other).not.toBe(second);
});

test("another transcript is numbered anew", () => {
  const chunker = new Chunks();
  chunker.of(entries(0, 40), []);
  expect(chunker.of(entries(1_000, 1_010), []).map(({ id }) => id)).toEqual([0]);
  expect(chunker.of([], [])).toEqual([]);
});
