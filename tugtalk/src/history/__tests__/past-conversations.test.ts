/** The interface of the module for past conversations. */
import { expect, test } from "bun:test";
import { IMPORTS } from "../../../testing/drivers/import-graph.ts";

test("a bridge imports the modules of src/history on their first use", async () => {
  const text = await Bun.file(new URL("../past-conversations.ts", import.meta.url)).text();
  expect(text).toContain('await import("./session-list.ts")');
  expect(text.match(/^import (?!type ).*"\.\/.*$/gm)).toBeNull();
  const fromOutside = IMPORTS.filter(
    ({ from, to, isType }) =>
      !isType && to.startsWith("src/history/") && !from.startsWith("src/history/"),
  );
  // A sub-command, which is loaded when it is named, and imports this room as late as it can.
  const ofBridge = fromOutside.filter(({ from }) => from !== "simulate.ts");
  expect(new Set(ofBridge.map(({ to }) => to))).toEqual(
    new Set([
      "src/history/history-requests.ts",
      "src/history/past-conversations.ts",
      "src/history/transcript-mirror.ts",
    ]),
  );
});
