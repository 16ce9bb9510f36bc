/** The history of what a person has written. */
import { expect, test } from "bun:test";
import { reduced } from "../../../client/reducer/__tests__/reduced.ts";
import { historyOf, moveBy, openHistory } from "../history-keys.ts";

test("the history has own messages and what was cleared, each once and the newest last", () => {
  const said = (text: string, kind = "host") => ({ type: "user_text", kind, text });
  const messages = ["one", "two", "one"].map((text) => said(text));
  const { entries, openEntries } = reduced([...messages, said("not mine", "synthetic")]);
  const history = historyOf([...entries, ...openEntries], ["", "cleared", "two"]);
  expect(history).toEqual(["one", "cleared", "two"]);
});

test("one moves through the history to its ends, and back to what was typed", () => {
  const position = openHistory(["one", "two"], "typed");
  const up = moveBy(position, -1);
  expect(up?.texts[up.at]).toBe("two");
  expect(moveBy(position, 1)).toBeUndefined();
  const top = up && moveBy(up, -1);
  expect(top && moveBy(top, -1)).toBeUndefined();
  const back = up && moveBy(up, 1);
  expect(back?.texts[back.at]).toBe("typed");
});
