/** Parts that are loaded late. */
import { expect, test } from "bun:test";
import { late } from "../late.ts";

test("a late part is loaded with its first use, and once", () => {
  let loads = 0;
  const part = late(() => {
    loads += 1;
    return { loads };
  });
  expect(loads).toBe(0);
  expect([part(), part()]).toEqual([{ loads: 1 }, { loads: 1 }]);
  expect(loads).toBe(1);
});
