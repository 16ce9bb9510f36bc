/** Names of tools for people. */
import { expect, test } from "bun:test";
import { viewToolName } from "../tool-name.ts";

test("a name of a tool or a server that would be read in another order is seen to be so", () => {
  const name = "mcp__or\u202eders__pay\u2066";
  const shown = { name, label: "pay\\u{2066}", server: "or\\u{202e}ders" };
  expect(viewToolName(name)).toEqual(shown);
  expect(viewToolName(name, [{ name: "or\u202eders" }])).toEqual(shown);
  expect(viewToolName("Ba\u202esh")).toEqual({ name: "Ba\u202esh", label: "Ba\\u{202e}sh" });
});
