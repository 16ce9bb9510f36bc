/** What each key does to the line that is typed. */
import { expect, test } from "bun:test";
import {
  EMPTY_EDITOR,
  editLine,
  type Key,
  type LineEditor,
  submitLine,
} from "../comfort/line-editor.ts";

const key = (name: string, more: Key = {}): Key => ({ name, sequence: "\u001b[?", ...more });
const ctrl = (name: string): Key => ({ name, sequence: "\u0001", ctrl: true });
const meta = (name: string): Key => ({ name, sequence: "\u001bx", meta: true });
const typed = (text: string): Key[] => [...text].map((sequence) => ({ sequence }));

/** The line with the cursor as `|`. */
function shown({ text, cursor }: LineEditor): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

function edit(keys: readonly Key[], from = EMPTY_EDITOR): LineEditor {
  return keys.reduce(editLine, from);
}

const rows: readonly (readonly [sentence: string, keys: readonly Key[], line: string])[] = [
  ["characters are put in at the cursor", [...typed("ac"), key("left"), ...typed("b")], "ab|c"],
  ["a cursor passes a whole emoji", [...typed("a👩‍👧b"), key("left"), key("left")], "a|👩‍👧b"],
  ["backspace removes a whole emoji", [...typed("a👩‍👧"), key("backspace")], "a|"],
  ["delete removes what follows", [...typed("ab"), key("home"), key("delete")], "|b"],
  ["delete at the end removes nothing", [...typed("ab"), key("delete")], "ab|"],
  ["home and end go to the ends", [...typed("ab"), key("home"), key("end")], "ab|"],
  ["right stops at the end", [...typed("a"), key("right")], "a|"],
  ["Ctrl-U removes what precedes", [...typed("ab"), key("left"), ctrl("u")], "|b"],
  ["Ctrl-K removes what follows", [...typed("ab"), key("left"), ctrl("k")], "a|"],
  ["Ctrl-W removes a word", [...typed("ab cd "), ctrl("w")], "ab |"],
  ["Ctrl-A and Ctrl-E go to the ends", [...typed("ab"), ctrl("a"), ctrl("e")], "ab|"],
  ["Alt-Enter begins a new line", [...typed("a"), meta("return"), ...typed("b")], "a\nb|"],
  [
    "keys without a meaning type nothing",
    [key("f5"), ctrl("g"), meta("q"), key("tab", { sequence: "\t" })],
    "|",
  ],
];

for (const [sentence, keys, line] of rows) {
  test(sentence, () => expect(shown(edit(keys))).toBe(line));
}

test("a paste keeps its newlines and tabs, and loses other control characters", () => {
  const paste = [key("paste-start"), ...typed("a\rb\r\nc\nd\te\u001bf\u0003"), key("paste-end")];
  expect(shown(edit(paste))).toBe("a\nb\nc\nd\tef|");
});

test("Up and Down recall earlier lines, and the one that was begun comes back", () => {
  const first = submitLine(edit(typed("one")));
  const second = submitLine(edit(typed("two"), first));
  const begun = edit(typed("thr"), second);
  expect(shown(edit([key("up")], begun))).toBe("two|");
  expect(shown(edit([key("up"), key("up"), key("up")], begun))).toBe("one|");
  expect(shown(edit([key("up"), key("down")], begun))).toBe("thr|");
  expect(shown(edit([key("down")], begun))).toBe("thr|");
});

test("a line that is repeated, or empty, is not recalled twice", () => {
  const lines = ["one", "one", " "].reduce(
    (editor, text) => submitLine(edit(typed(text), editor)),
    EMPTY_EDITOR,
  );
  expect(lines.history).toEqual(["one"]);
});
