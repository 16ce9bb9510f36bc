/** The placeholder of an empty composer. */
import { expect, test } from "bun:test";
import { placeholderFor } from "../placeholder.ts";

const SHOWN = { isLost: false, isEmpty: false };

test.each([
  ["idle", "Send a follow-up message..."],
  ["running", "Send a follow-up message..."],
  ["requires_action", "Send a follow-up message..."],
  ["exited", "Send a message to continue the conversation..."],
  ["failed", "Send a message to try again..."],
] as const)("a session that is %p has the placeholder %p", (status, placeholder) => {
  expect(placeholderFor({ status }, SHOWN)).toBe(placeholder);
  expect(placeholderFor({ status }, { ...SHOWN, isLost: true })).toBe(
    "Not connected. What you write is kept here.",
  );
});

test("where nothing was said yet, the message is called the first one", () => {
  const empty = { ...SHOWN, isEmpty: true };
  expect(placeholderFor({ status: "idle" }, empty)).toBe("Send the first message...");
  expect(placeholderFor({ status: "failed" }, empty)).toBe("Send a message to try again...");
});

test("Claude's suggestion is the placeholder, unless something else is to be said", () => {
  const promptSuggestion = "Run the tests";
  expect(placeholderFor({ status: "idle", promptSuggestion }, SHOWN)).toBe(promptSuggestion);
  expect(placeholderFor({ status: "failed", promptSuggestion }, SHOWN)).not.toBe(promptSuggestion);
});
