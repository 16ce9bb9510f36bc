/** The permission modes one after the other. */
import { expect, test } from "bun:test";
import { modeAfter } from "../next-mode.ts";

test("the modes of every day follow each other round and round, and any other is followed by the first", () => {
  const modes = ["default", "acceptEdits", "plan", "bypassPermissions", "dontAsk", "auto"];
  const next = ["acceptEdits", "plan", "default", "default", "default", "default"];
  expect(modes.map(modeAfter)).toEqual(next);
});
