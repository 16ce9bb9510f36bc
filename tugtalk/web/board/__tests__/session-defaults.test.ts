/** The choices for new sessions that a browser has stored. */
import { expect, test } from "bun:test";
import { readDefaults } from "../session-defaults.ts";

test("what was chosen is read again, and what is stored in another shape chooses nothing", () => {
  const chosen = { model: "opus", permissionMode: "plan" };
  expect(readDefaults(chosen)).toEqual(chosen);
  const nothing = { model: "", permissionMode: "" };
  for (const stored of [undefined, null, 7, "plan", [], {}, { model: 7, permissionMode: null }])
    expect(readDefaults(stored)).toEqual(nothing);
});
