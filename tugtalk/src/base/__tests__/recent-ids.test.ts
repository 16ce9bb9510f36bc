/** A set that forgets its oldest ids. */
import { expect, test } from "bun:test";
import { RecentIds } from "../recent-ids.ts";

const added = (...ids: readonly string[]) => {
  const recent = new RecentIds(2);
  for (const id of ids) recent.add(id);
  return recent;
};

test("the newest ids are remembered, up to the limit", () => {
  const recent = added("a", "b", "c");
  expect(["a", "b", "c"].map((id) => recent.has(id))).toEqual([false, true, true]);
  expect(recent.size).toBe(2);
});

test("an id that comes again takes no room from another", () => {
  expect(added("a", "b", "b").has("a")).toBe(true);
});

test("what is deleted leaves room, and nothing is left after a clearing", () => {
  const recent = added("a", "b");
  recent.delete("b");
  recent.add("c");
  expect(recent.has("a")).toBe(true);
  recent.clear();
  expect(recent.size).toBe(0);
});
