/** The map and the set that drop their oldest entries. */
import { expect, test } from "bun:test";
import { BoundedMap, BoundedSet } from "../bounded-map.ts";

const mapOf = (...keys: readonly string[]) => {
  const map = new BoundedMap<string, number>(2);
  keys.forEach((key, index) => {
    map.set(key, index);
  });
  return map;
};

const setOf = (...values: readonly string[]) => {
  const set = new BoundedSet<string>(2);
  for (const value of values) set.add(value);
  return set;
};

test("a new key over the limit drops the oldest one", () => {
  expect([...mapOf("a", "b", "c")]).toEqual([
    ["b", 1],
    ["c", 2],
  ]);
});

test("a key that is set again gets the new value, drops no other key and keeps its age", () => {
  const map = mapOf("a", "b", "a");
  expect([...map]).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
  expect([...map.set("c", 3).keys()]).toEqual(["b", "c"]);
});

test("a new value over the limit drops the oldest one", () => {
  expect([...setOf("a", "b", "c")]).toEqual(["b", "c"]);
});

test("a value that is added again drops no other value and keeps its age", () => {
  const set = setOf("a", "b", "a");
  expect([...set]).toEqual(["a", "b"]);
  expect([...set.add("c")]).toEqual(["b", "c"]);
});

test("a deleted value makes room for a new one", () => {
  const set = setOf("a", "b");
  set.delete("b");
  expect([...set.add("c")]).toEqual(["a", "c"]);
});
