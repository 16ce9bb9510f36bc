/** The files that the tool calls of a session have changed. */
import { expect, test } from "bun:test";
import type { ToolItem, TranscriptEntry } from "../../../client/transcript-models.ts";
import { reduceCapture } from "../../../testing/captures/reduced-capture.ts";
import { changingCalls, fileChanges } from "../file-changes.ts";

type Call = Pick<ToolItem, "name" | "input"> & Partial<ToolItem>;

let calls = 0;

function callOf(call: Call): ToolItem {
  const key = `call-${calls++}`;
  return { kind: "tool", key, toolUseId: key, status: "done", ...call };
}

function edit(before: string, oldString: string, newString: string, more: object = {}): ToolItem {
  return callOf({
    name: "Edit",
    input: { file_path: "/a.txt", old_string: oldString, new_string: newString },
    structured: {
      filePath: "/a.txt",
      oldString,
      newString,
      originalFile: before,
      structuredPatch: [],
      ...more,
    },
  });
}

function textsAfter(...items: ToolItem[]) {
  return fileChanges(items).map(({ filePath, texts }) => ({ filePath, ...texts }));
}

test("two changes of one file are one, from the first text to the last one", () => {
  const changes = textsAfter(edit("one\ntwo\n", "one", "1"), edit("1\ntwo\n", "two", "2"));
  expect(changes).toEqual([{ filePath: "/a.txt", before: "one\ntwo\n", after: "1\n2\n" }]);
});

test("a file that is again as it was is not a change", () => {
  expect(textsAfter(edit("a\n", "a", "b"), edit("b\n", "b", "a"))).toEqual([]);
});

test("an edit may replace every place, or a line with its end", () => {
  expect(textsAfter(edit("a a\n", "a", "b", { replaceAll: true }))[0]?.after).toBe("b b\n");
  expect(textsAfter(edit("a a\n", "a", "b"))[0]?.after).toBe("b a\n");
  expect(textsAfter(edit("a\nb\nc\n", "b", ""))[0]?.after).toBe("a\nc\n");
});

test("an edit that a person has changed is counted as it was made", () => {
  const made = edit("one\n", "one", "asked", { newString: "made" });
  expect(textsAfter(made)[0]?.after).toBe("made\n");
});

test("a new file has no text before, also if it is edited after that", () => {
  const structured = { type: "create", filePath: "/a.txt", content: "a\n", structuredPatch: [] };
  const write = callOf({
    name: "Write",
    input: { file_path: "/a.txt", content: "a\n" },
    structured,
  });
  const after = { filePath: "/a.txt", before: null, after: "b\n" };
  expect(textsAfter(write, edit("a\n", "a", "b"))).toEqual([after]);
});

test("the edits of a MultiEdit are made one after the other", () => {
  const edits = [
    { old_string: "one", new_string: "two" },
    { old_string: "two", new_string: "three" },
  ];
  const known = edit("zero one\n", "zero", "0");
  const multi = callOf({ name: "MultiEdit", input: { file_path: "/a.txt", edits } });
  expect(textsAfter(known, multi)[0]?.after).toBe("0 three\n");
});

test("the edit of an agent is known where an earlier call has shown the file, and has only its lines elsewhere", () => {
  const input = { file_path: "/a.txt", old_string: "two", new_string: "2" };
  const agent = callOf({ name: "Edit", input });
  expect(textsAfter(edit("one two\n", "one", "1"), agent)[0]?.after).toBe("1 2\n");
  const [alone] = fileChanges([agent]);
  expect(alone?.texts).toBeUndefined();
  expect(alone?.hunks.flatMap(({ lines }) => lines)).toEqual(["-two", "+2"]);
});

test("calls that failed or were denied, and other tools, change nothing", () => {
  const items = [
    { ...edit("a", "a", "b"), status: "failed" as const },
    { ...edit("a", "a", "b"), status: "denied" as const },
    callOf({ name: "Read", input: { file_path: "/a.txt" } }),
  ];
  const entry: TranscriptEntry = { kind: "interlude", key: "1", items, agents: {} };
  expect(changingCalls([entry])).toEqual([]);
});

test("calls whose files were put back change nothing, those after them do", () => {
  const [before, after] = [edit("a", "a", "b"), edit("a", "a", "c")];
  const undone: TranscriptEntry = { kind: "interlude", key: "1", items: [before], agents: {} };
  const later: TranscriptEntry = { kind: "interlude", key: "2", items: [after], agents: {} };
  expect(changingCalls([{ ...undone, isPutBack: true }, later])).toEqual([after]);
});

test("the calls of an agent stand where it was started", () => {
  const [first, start, inside, last] = [
    edit("a", "a", "b"),
    callOf({ name: "Task", input: {} }),
    edit("b", "b", "c"),
    edit("c", "c", "d"),
  ];
  const items = [first, start, last];
  const agents = { [start.toolUseId]: [inside] };
  const entry: TranscriptEntry = { kind: "interlude", key: "1", items, agents };
  expect(changingCalls([entry])).toEqual([first, inside, last]);
});

/** Captures in which Claude changes one file, and the text of it after that. */
const CAPTURES = [
  ["2.1.330/tool_edit", "/work/project/e.txt", "one\nTWO\nTWO-B\nthree\nfour\nfive\n"],
  ["2.1.330/tool_write_overwrite", "/work/project/e.txt", "one\nTWO\nthree\n"],
  ["2.1.38/tool_edit", "/work/project/e.txt", "one\nTWO\nTWO-B\nthree\nfour\nfive\n"],
  ["2.1.330/perm_allow", "/work/project/a.txt", "x\n"],
] as const;

for (const [capture, filePath, after] of CAPTURES)
  test(`the changes of ${capture} end with the text that Claude has written`, async () => {
    const { entries, openEntries } = await reduceCapture(capture);
    const changes = fileChanges(changingCalls([...entries, ...openEntries]));
    expect(changes.map(({ texts, ...change }) => [change.filePath, texts?.after])).toEqual([
      [filePath, after],
    ]);
  });
