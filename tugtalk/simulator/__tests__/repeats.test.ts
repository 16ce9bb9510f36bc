import { expect, test } from "bun:test";
import { expandRepeats } from "../repeats.ts";

test("a repetition with a join is one text", () => {
  const value = { text: { $repeat: "line {n}", count: 3, join: "\n" } };
  expect(expandRepeats(value)).toEqual({ text: "line 1\nline 2\nline 3" });
});

test("repetitions without a join are elements of their array, between the others", () => {
  const value = [["-0"], { $repeat: "-{n}", count: 2 }, "x", { $repeat: "+{n}", count: 1 }];
  expect(expandRepeats(value)).toEqual([["-0"], "-1", "-2", "x", "+1"]);
});

test("an element with a join is one element", () => {
  expect(expandRepeats([{ $repeat: "{n}", count: 2, join: "," }])).toEqual(["1,2"]);
});

test.each([
  { $repeat: "a" },
  { $repeat: "a", count: 0 },
  { $repeat: "a", count: 1, seperator: "" },
  { $repeat: 1, count: 1 },
])("%j is refused", (value) => {
  expect(() => expandRepeats({ value })).toThrow();
});
