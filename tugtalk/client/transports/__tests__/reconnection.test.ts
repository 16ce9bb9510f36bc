import { expect, test } from "bun:test";
import { retryDelayMs } from "../reconnection.ts";

test.each([
  [0, 125, 250],
  [1, 250, 500],
  [3, 1000, 2000],
  [10, 5000, 10_000],
  [100_000, 5000, 10_000],
])("after %d failures the next attempt is made after %d to %d ms", (failures, least, most) => {
  expect(retryDelayMs(failures, 0)).toBe(least);
  expect(retryDelayMs(failures, 1)).toBe(most);
});
