/** The diff viewer, filled from the structured results of captured conversations. */
import { expect, test } from "bun:test";
import { reduceCapture } from "../../../testing/captures/reduced-capture.ts";
import { viewDiff } from "../diff-view.ts";

/** The diffs of all tool calls of a capture. */
async function diffsOf(capture: string) {
  const { entries, openEntries } = await reduceCapture(capture);
  return [...entries, ...openEntries].flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === "tool" ? (viewDiff(item.structured) ?? []) : [])),
  );
}

test("the diff of an Edit has the hunks of Claude", async () => {
  const view = await diffsOf("2.1.38/tool_edit");
  expect(view).toEqual([
    {
      filePath: "/work/project/e.txt",
      structuredPatch: [
        {
          oldStart: 1,
          oldLines: 5,
          newStart: 1,
          newLines: 6,
          lines: [" one", "-two", "+TWO", "+TWO-B", " three", " four", " five"],
        },
      ],
      originalFile: "one\ntwo\nthree\nfour\nfive\n",
      newFile: undefined,
      editType: "edit",
      addedLines: 2,
      removedLines: 1,
    },
  ]);
  expect(await diffsOf("2.1.330/tool_edit")).toEqual(view);
  expect(await diffsOf("2.1.197/tool_edit")).toEqual(view);
});

test("the diff of a Write over a file is an update, with the file as it was and as it is", async () => {
  expect(await diffsOf("2.1.330/tool_write_overwrite")).toMatchObject([
    {
      structuredPatch: [{ lines: [" one", "-two", "+TWO", " three", "-four", "-five"] }],
      originalFile: "one\ntwo\nthree\nfour\nfive\n",
      newFile: "one\nTWO\nthree\n",
      editType: "update",
      addedLines: 1,
      removedLines: 3,
    },
  ]);
});

test("the diff of a new file has every line as added", async () => {
  expect(await diffsOf("2.1.330/perm_allow")).toMatchObject([
    {
      structuredPatch: [{ oldStart: 1, newStart: 1, lines: ["+x"], oldLines: 0, newLines: 1 }],
      originalFile: null,
      editType: "create",
      addedLines: 1,
    },
  ]);
});

test("the diff of a notebook is the diff of its cell, also if Claude does not send the old one", async () => {
  const view = await diffsOf("2.1.330/tool_notebook_edit");
  expect(view).toMatchObject([
    {
      filePath: "/work/project/n.ipynb",
      structuredPatch: [{ lines: ["-print(1)", "+print(2)"] }],
      originalFile: expect.stringContaining('"source":["print(1)"]'),
      newFile: expect.stringContaining('"source": "print(2)"'),
      editType: "edit",
    },
  ]);
  expect(await diffsOf("2.1.38/tool_notebook_edit")).toEqual(view);
});

test("a failed tool call has no diff", async () => {
  const view = await diffsOf("2.1.330/tool_bash_fail");
  expect(view).toEqual([]);
});
