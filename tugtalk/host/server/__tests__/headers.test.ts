import { expect, test } from "bun:test";
import { TextBody } from "../../api/command.ts";
import { commandResponse } from "../headers.ts";

/** A text of three pieces that counts the pieces made. */
function longText() {
  const made: string[] = [];
  const source = async function* () {
    for (const piece of ["one ", "zwölf ", "drei"]) {
      made.push(piece);
      yield piece;
    }
  };
  return { made, body: new TextBody("text/markdown", source) };
}

test("a long text is sent whole, and made while the client reads", async () => {
  const { made, body } = longText();
  const response = commandResponse({ status: 200, body });
  expect(made.length).toBeLessThan(3);
  expect(response.headers.get("content-type")).toBe("text/markdown");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await response.text()).toBe("one zwölf drei");
});

test("a long text of which the client wants no more is not made any further", async () => {
  const { made, body } = longText();
  const reader = commandResponse({ status: 200, body }).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect(made.length).toBeLessThan(3);
});

test("a long text is a field of an answer that is no text", async () => {
  const { body } = longText();
  expect(await body.fields()).toEqual({ contentType: "text/markdown", text: "one zwölf drei" });
});
