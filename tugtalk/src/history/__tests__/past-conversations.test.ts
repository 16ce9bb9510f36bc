/** The interface of the module for past conversations. */
import { expect, test } from "bun:test";
import { IMPORTS } from "../../../testing/drivers/import-graph.ts";

test("a bridge imports the modules of src/history on their first use", async () => {
  const text = await Bun.file(new URL("../past-conversations.ts", import.meta.url)).text();
  expect(text).toContain('await import("./session-list.ts")');
  expect(text.match(/^import .*"\.\/.*$/gm)).toBeNull();
  const fromOutside = IMPORTS.filter(
    ({ from, to, isType }) =>
      !isType && to.startsWith("src/history/") && !from.startsWith("src/history/"),
  );
  expect(new Set(fromOutside.map(({ to }) => to))).toEqual(
    new Set(["src/history/history-requests.ts", "src/history/past-conversations.ts"]),
  );
});
