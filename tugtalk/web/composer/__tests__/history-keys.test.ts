/** The history of a person's messages. */
import { expect, test } from "bun:test";
import { reduced } from "../../../client/reducer/__tests__/reduced.ts";
import { historyOf } from "../history-keys.ts";

test("the history has own messages and cleared texts, each once and the newest last", () => {
  const said = (text: string, kind = "host") => ({ type: "user_text", kind, text });
  const messages = ["one", "two", "one"].map((text) => said(text));
  const { entries, openEntries } = reduced([...messages, said("not mine", "synthetic")]);
  const history = historyOf([...entries, ...openEntries], ["", "cleared", "two"]);
  expect(history).toEqual(["one", "cleared", "two"]);
});
