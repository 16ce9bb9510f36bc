/** The name of an exported file. */
import { expect, test } from "bun:test";
import { fileName } from "../download.ts";

test("an exported file is named after the title of its session", () => {
  expect(fileName("Greet by the time of day", "md")).toBe("greet-by-the-time-of-day.md");
});

test("the name has neither separators nor dots of the title, and keeps letters of all scripts", () => {
  expect(fileName("../../etc/passwd: größer?", "json")).toBe("etc-passwd-größer.json");
});

test("a title without letters gives a plain name", () => {
  expect(fileName(" …", "md")).toBe("session.md");
});
