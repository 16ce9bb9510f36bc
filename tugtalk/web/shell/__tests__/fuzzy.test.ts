/** The matches of the palette, and their order. */
import { expect, test } from "bun:test";
import { matchScore, rankMatches } from "../fuzzy.ts";

function ranked(query: string, ...texts: readonly string[]): string[] {
  return rankMatches(query, texts, (text) => text);
}

test("an empty query leaves everything in its order", () => {
  expect(ranked(" ", "Settings", "Export")).toEqual(["Settings", "Export"]);
});

test("letters that are not all there in this order find nothing", () => {
  expect(matchScore("xs", "Settings")).toBeUndefined();
  expect(matchScore("gs", "Sing")).toBeUndefined();
});

test("the beginnings of words come before letters in a row, and these before scattered ones", () => {
  expect(ranked("ms", "Timesheet", "Items", "MCP servers")[0]).toBe("MCP servers");
  expect(ranked("set", "Sweet", "Settings", "Reset")).toEqual(["Settings", "Reset", "Sweet"]);
});

test("of two texts that fit equally well the shorter comes first", () => {
  expect(ranked("cost", "Cost and limits", "Cost")).toEqual(["Cost", "Cost and limits"]);
});

test("case and spaces of the query do not count", () => {
  expect(ranked("COST LIM", "Cost and limits")).toEqual(["Cost and limits"]);
});

test("a later word is found although its letters are in an earlier one", () => {
  expect(ranked("next w", "Next session that waits for you")).toHaveLength(1);
});
