import { expect, test } from "bun:test";
import { FoldsBySession } from "../folds.ts";

test("turns fold one by one, and all at once with exceptions", () => {
  const folds = new FoldsBySession().of("s");
  folds.toggle("a");
  expect([folds.isFolded("a"), folds.isFolded("b")]).toEqual([true, false]);
  folds.foldAll(true);
  folds.toggle("a");
  expect([folds.isFolded("a"), folds.isFolded("b"), folds.isAll]).toEqual([false, true, true]);
  folds.foldAll(false);
  expect([folds.isFolded("a"), folds.isFolded("b")]).toEqual([false, false]);
});

test("a session keeps its folds, and another has its own", () => {
  const folds = new FoldsBySession();
  folds.of("s").toggle("a");
  expect(folds.of("s").isFolded("a")).toBe(true);
  expect(folds.of("other").isFolded("a")).toBe(false);
});

test("forgotten turns are folded unless they were opened, also when all turns are", () => {
  const folds = new FoldsBySession().of("s");
  const isFolded = () => [folds.isFolded("a", true), folds.isFolded("b", true)];
  folds.toggle("a");
  expect(isFolded()).toEqual([false, true]);
  folds.foldAll(true);
  expect(isFolded()).toEqual([true, true]);
});
