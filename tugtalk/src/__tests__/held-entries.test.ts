/** Entries keep their order while one of them waits, and wait neither in any number nor for ever. */
import { expect, test } from "bun:test";
import { HeldEntries } from "../held-entries.ts";

function holding() {
  const written: string[] = [];
  let isDecided = false;
  let time = 0;
  const entries = new HeldEntries({
    write: (text) => void written.push(text),
    decideAll: () => {
      isDecided = true;
    },
    now: () => time,
  });
  const add = (text: string, isReady = () => true) =>
    entries.add(() => ({ isReady, text: () => text }));
  return {
    entries,
    written,
    add,
    addUndecided: (text: string) => add(text, () => isDecided),
    pass: (ms: number) => {
      time += ms;
    },
    decide: () => {
      isDecided = true;
    },
  };
}

test("what is ready is written at once, and what comes after one that waits waits with it", () => {
  const { add, addUndecided, decide, written } = holding();
  add("one");
  addUndecided("two");
  add("three");
  expect(written).toEqual(["one"]);
  decide();
  add("four");
  expect(written).toEqual(["one", "two", "three", "four"]);
});

test("ten seconds later all is decided by the next entry", () => {
  const { add, addUndecided, pass, written } = holding();
  addUndecided("one");
  pass(10_000);
  add("two");
  expect(written).toEqual([]);
  pass(1);
  add("three");
  expect(written).toEqual(["one", "two", "three"]);
});

test("a thousand entries wait, and no more", () => {
  const { add, addUndecided, written } = holding();
  addUndecided("first");
  for (let count = 0; count < 999; count += 1) add("more");
  expect(written).toEqual([]);
  add("last");
  expect(written).toHaveLength(1001);
});

test("at the end all is written", () => {
  const { addUndecided, entries, written } = holding();
  addUndecided("one");
  entries.end();
  expect(written).toEqual(["one"]);
});
