/** What an empty composer says. */
import { expect, test } from "bun:test";
import { placeholderFor } from "../placeholder.ts";

test.each([
  ["idle", "Send a follow-up message..."],
  ["running", "Send a follow-up message..."],
  ["requires_action", "Claude waits for your answer above..."],
  ["exited", "Send a message to continue the conversation..."],
  ["failed", "Send a message to try again..."],
] as const)("a session that is %p has the placeholder %p", (status, placeholder) => {
  expect(placeholderFor({ status }, false)).toBe(placeholder);
  expect(placeholderFor({ status }, true)).toBe("Not connected. What you write is kept here.");
});

test("what Claude suggests is the placeholder, unless something else is to be said", () => {
  const promptSuggestion = "Run the tests";
  expect(placeholderFor({ status: "idle", promptSuggestion }, false)).toBe(promptSuggestion);
  expect(placeholderFor({ status: "failed", promptSuggestion }, false)).not.toBe(promptSuggestion);
});
