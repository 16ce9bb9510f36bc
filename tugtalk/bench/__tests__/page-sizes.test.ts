/** The page stays small. */
import { expect, test } from "bun:test";
import { buildPage } from "../../host/page/build-page.ts";
import { measurePage, sum } from "../page-sizes.ts";

const KB = 1000;

test("a page has at most 45 kB of script before the first block of code, and 75 kB with all languages", async () => {
  const { eager, colours, lazy } = measurePage((await buildPage()).files);
  expect(eager).toBeGreaterThan(30 * KB);
  expect(eager).toBeLessThanOrEqual(45 * KB);
  // The highlighter and its sixteen languages.
  expect(colours.length).toBeGreaterThan(16);
  expect(colours.length).toBeLessThan(lazy.length);
  expect(eager + sum(colours)).toBeLessThanOrEqual(75 * KB);
});
