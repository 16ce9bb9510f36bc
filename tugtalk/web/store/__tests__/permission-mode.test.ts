/** The permission modes one after the other. */
import { expect, test } from "bun:test";
import { modeAfter } from "../permission-mode.ts";

test("the modes of every day follow each other round and round", () => {
  expect(["default", "acceptEdits", "plan"].map(modeAfter)).toEqual([
    "acceptEdits",
    "plan",
    "default",
  ]);
});

test("from a mode that was chosen on purpose the next one asks again", () => {
  expect(["bypassPermissions", "dontAsk", "auto"].map(modeAfter)).toEqual([
    "default",
    "default",
    "default",
  ]);
});
