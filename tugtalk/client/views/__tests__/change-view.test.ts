/** The change that a call would make in the file that is there. */
import { expect, test } from "bun:test";
import { viewChange } from "../change-view.ts";

const FILE = "1\n2\n3\n4\n5\nsix\n7\n";

test("an edit has the numbers of the lines of the file, and the lines around it", () => {
  const [hunk, ...others] = viewChange({ old_string: "six", new_string: "6" }, FILE) ?? [];
  expect(others).toEqual([]);
  expect(hunk).toMatchObject({ oldStart: 3, newStart: 3 });
  expect(hunk?.lines).toEqual([" 3", " 4", " 5", "-six", "+6", " 7"]);
});

test("each of several edits is made in the text that the one before has left", () => {
  const edits = [
    { old_string: "six", new_string: "6" },
    { old_string: "6\n7", new_string: "6\n8" },
  ];
  expect(viewChange({ edits }, FILE)?.[0]?.lines).toEqual([
    " 3",
    " 4",
    " 5",
    "-six",
    "-7",
    "+6",
    "+8",
  ]);
});

test("a whole text replaces the one of the file, whose line ends do not count", () => {
  const content = "1\n2\n";
  expect(viewChange({ content }, "1\r\nold\u202e\r\n")?.[0]?.lines).toEqual([
    " 1",
    "-old\\u{202e}",
    "+2",
  ]);
});

test("a call that would not change the text has no change in it", () => {
  expect(viewChange({ old_string: "nine", new_string: "9" }, FILE)).toBeUndefined();
  expect(viewChange({ content: FILE }, FILE)).toBeUndefined();
});
