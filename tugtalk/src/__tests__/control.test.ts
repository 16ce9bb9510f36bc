/**
 * Control messages as Claude reads them (§2b–2f, §5b). The tests of sessions check the answers to prompts.
 */
import { expect, test } from "bun:test";
import { DEFAULT_DENIAL, generateRequestId } from "../control.ts";

test("a denial without a message has the words at which Claude stops", () => {
  expect(DEFAULT_DENIAL).toStartWith("The user doesn't want to proceed with this tool use.");
  expect(DEFAULT_DENIAL).toContain("STOP what you are doing and wait for the user");
});

test("generateRequestId never gives the same id twice", () => {
  const ids = Array.from({ length: 1000 }, generateRequestId);
  expect(new Set(ids).size).toBe(1000);
});
