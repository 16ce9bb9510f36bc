/** The diff of two texts: its lines give both texts back, and only changed parts are marked. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { diffTexts } from "../diff.ts";

const rows: readonly (readonly [sentence: string, before: string, after: string, diff: string])[] =
  [
    ["equal texts have no hunks", "a\nb\n", "a\nb\n", ""],
    ["an empty text has no lines", "", "a\n", "@1,1 +a"],
    ["a text may become empty", "a\nb", "", "@1,1 -a -b"],
    ["a changed line is removed, then added", "a\nb\nc", "a\nX\nc", "@1,1  a -b +X  c"],
    ["a line that is put in leaves the others", "a\nb", "a\nX\nb", "@1,1  a +X  b"],
    [
      "far changes are hunks of their own, with three lines around each",
      "1\n2\n3\n4\n5\n6\n7\n8\n9\n10",
      "X\n2\n3\n4\n5\n6\n7\n8\n9\nY",
      "@1,1 -1 +X  2  3  4 @7,7  7  8  9 -10 +Y",
    ],
  ];

for (const [sentence, before, after, diff] of rows) {
  test(sentence, () => {
    const hunks = diffTexts(before, after).map(({ oldStart, newStart, lines }) =>
      [`@${oldStart},${newStart}`, ...lines].join(" "),
    );
    expect(hunks.join(" ")).toBe(diff);
  });
}

test("the hunks of any two texts turn the one into the other", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });
  const check = (before: string[], after: string[]) => {
    let result = before;
    // From the last to the first, so that the places of the others stay true.
    for (const { oldStart, lines } of diffTexts(before.join("\n"), after.join("\n")).reverse()) {
      const removed = lines.filter((line) => !line.startsWith("+")).map((line) => line.slice(1));
      const added = lines.filter((line) => !line.startsWith("-")).map((line) => line.slice(1));
      expect(result.slice(oldStart - 1, oldStart - 1 + removed.length)).toEqual(removed);
      result = result.toSpliced(oldStart - 1, removed.length, ...added);
    }
    expect(result).toEqual(after);
  };
  fc.assert(fc.property(text, text, check));
});

test("texts without a common line are replaced, however long they are", () => {
  const before = Array.from({ length: 5000 }, (_, index) => `old ${index}`).join("\n");
  const after = Array.from({ length: 5000 }, (_, index) => `new ${index}`).join("\n");
  expect(diffTexts(before, after)[0]?.lines.length).toBe(10_000);
});
