/** The choices for new sessions that a browser has stored. */
import { expect, test } from "bun:test";
import { readDefaults } from "../session-defaults.ts";

test("stored choices are read again, and a stored value of another shape chooses nothing", () => {
  const chosen = { model: "opus", permissionMode: "plan" };
  expect(readDefaults(chosen)).toEqual(chosen);
  const nothing = { model: "", permissionMode: "" };
  for (const stored of [undefined, null, 7, "plan", [], {}, { model: 7, permissionMode: null }])
    expect(readDefaults(stored)).toEqual(nothing);
});
