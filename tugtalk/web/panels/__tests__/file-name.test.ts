/** The name of an exported file. */
import { expect, test } from "bun:test";
import { fileName } from "../file-name.ts";

test.each([
  ["is that of the title", "Greet by the time of day", "greet-by-the-time-of-day.md"],
  [
    "has no separators or dots, and all letters",
    "../../etc/passwd: größer?",
    "etc-passwd-größer.md",
  ],
  ["is plain for a title without letters", " …", "session.md"],
])("the name of an exported file %s", (_rule, title, name) => {
  expect(fileName(title, "md")).toBe(name);
});
