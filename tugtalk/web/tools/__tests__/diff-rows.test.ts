/** Diffs with numbers and marks. */
import { expect, test } from "bun:test";
import { diffRows } from "../diff-rows.ts";
import { markWords } from "../word-marks.ts";

/** Rows as text: `12    -  return [[Hello]];` with marked words in brackets. */
function drawn(hunks: Parameters<typeof diffRows>[0]): string[] {
  return diffRows(hunks).map(({ kind, oldNumber = "", newNumber = "", segments }) => {
    const text = segments()
      .map((one) => (one.isMarked ? `[${one.text}]` : one.text))
      .join("");
    return `${oldNumber}|${newNumber}|${kind}|${text}`;
  });
}

const AT_11 = { oldStart: 11, oldLines: 3, newStart: 12, newLines: 3 };

test("each line has its numbers, and lines that changed have their words marked", () => {
  const lines = [" before", "-  return hello(name);", "+  return welcome(name);", " after"];
  expect(drawn([{ ...AT_11, lines }])).toEqual([
    "11|12|kept|before",
    "12||removed|  return [hello](name);",
    "|13|added|  return [welcome](name);",
    "13|14|kept|after",
  ]);
});

test("removed and added lines belong together in their order, and more of one kind have no marks", () => {
  const lines = ["-let a = 1;", "-let b = 2;", "+let a = 3;", "+let b = 4;", "+let c = 5;"];
  expect(drawn([{ ...AT_11, lines }])).toEqual([
    "11||removed|let a = [1];",
    "12||removed|let b = [2];",
    "|12|added|let a = [3];",
    "|13|added|let b = [4];",
    "|14|added|let c = 5;",
  ]);
});

test("between two hunks there is a gap, and a remark about the end of the file has no number", () => {
  const lines = ["-a", "\\ No newline at end of file"];
  expect(
    drawn([
      { ...AT_11, lines },
      { ...AT_11, oldStart: 40, newStart: 41, lines: [" b"] },
    ]),
  ).toEqual(["11||removed|a", "||note|\\ No newline at end of file", "||gap|", "40|41|kept|b"]);
});

/** Two lines, and the marked parts of each; undefined for lines that have too little in common. */
const PAIRS: readonly (readonly [before: string, after: string, marked: string[][] | undefined])[] =
  [
    ["const a = 1;", "const a = 2;", [["1"], ["2"]]],
    ["foo(bar)", "foo(bar, baz)", [[], [", baz"]]],
    ["old_name()", "new_name()", undefined],
    ["entirely different", "nothing in common", undefined],
    ["größe = 1", "größe = 2", [["1"], ["2"]]],
    ["", "text", undefined],
  ];

for (const [before, after, marked] of PAIRS)
  test(`the words that differ between "${before}" and "${after}" are marked if the lines are alike`, () => {
    const pair = markWords(before, after);
    const words = (segments: readonly { text: string; isMarked: boolean }[]) =>
      segments.filter(({ isMarked }) => isMarked).map(({ text }) => text);
    expect(pair && [words(pair.before), words(pair.after)]).toEqual(marked);
  });

test("enormous lines are not compared word by word", () => {
  const line = "word ".repeat(10_000);
  expect(markWords(line, `${line}more`)).toBeUndefined();
});
