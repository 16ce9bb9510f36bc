/** Output of real programs, and of hostile ones, as a terminal shows it. */
import { expect, test } from "bun:test";
import { plainText, terminalLines } from "../terminal-output.ts";

/** Each line as its spans: the text alone where it has no style. */
function shown(output: string): unknown[][] {
  return terminalLines(output).map((spans) =>
    spans.map(({ text, style, url }) => {
      const isPlain = Object.keys(style).length === 0 && url === undefined;
      return isPlain ? text : { text, ...style, ...(url !== undefined && { url }) };
    }),
  );
}

const RED = [205, 49, 49];
const GREEN = [13, 188, 121];
const BLUE = [36, 114, 200];
const CYAN = [17, 168, 205];

/** By the program that printed it. */
const PRINTED: Readonly<Record<string, readonly [output: string, lines: unknown[][]]>> = {
  "ls --color": [
    "a.txt\n\u001b[0m\u001b[01;34md\u001b[0m\n\u001b[01;36ml\u001b[0m\n",
    [
      ["a.txt"],
      [{ text: "d", isBold: true, colour: BLUE }],
      [{ text: "l", isBold: true, colour: CYAN }],
    ],
  ],
  "git diff --color": [
    "\u001b[1m--- a/a.txt\u001b[m\n\u001b[36m@@ -1,2 +1,2 @@\u001b[m\n one\u001b[m\n\u001b[31m-two\u001b[m\n\u001b[32m+\u001b[m\u001b[32mTWO\u001b[m\n",
    [
      [{ text: "--- a/a.txt", isBold: true }],
      [{ text: "@@ -1,2 +1,2 @@", colour: CYAN }],
      [" one"],
      [{ text: "-two", colour: RED }],
      [
        { text: "+", colour: GREEN },
        { text: "TWO", colour: GREEN },
      ],
    ],
  ],
  "grep --color": [
    "\u001b[01;31m\u001b[Ko\u001b[m\u001b[Kne\n",
    [[{ text: "o", isBold: true, colour: RED }, "ne"]],
  ],
  npm: [
    "\u001b[1mnpm\u001b[22m \u001b[33mwarn\u001b[39m old\r\n",
    [[{ text: "npm", isBold: true }, " ", { text: "warn", colour: [229, 229, 16] }, " old"]],
  ],
  "git clone --progress": [
    "Receiving objects:  50% (1/2)\rReceiving objects: 100% (2/2)\rReceiving objects: 100% (2/2), done.\n",
    [["Receiving objects: 100% (2/2), done."]],
  ],
  "ls --hyperlink": [
    "\u001b]8;;file://vm/tmp/a.txt\u0007a.txt\u001b]8;;\u0007\n",
    [[{ text: "a.txt", url: "file://vm/tmp/a.txt" }]],
  ],
  man: ["N\bNA\bAM\bME\bE\n", [["NAME"]]],
};

for (const [program, [output, lines]] of Object.entries(PRINTED))
  test(`the output of ${program} is shown as a terminal shows it`, () => {
    expect(shown(output)).toEqual(lines);
  });

/** The lines of outputs, by their special feature. */
const CASES: Readonly<Record<string, readonly [output: string, lines: unknown[][]]>> = {
  "an empty output": ["", []],
  "an empty line": ["a\n\nb", [["a"], [], ["b"]]],
  "a shorter line over a longer one": ["12345\rab", [["ab345"]]],
  "a shorter line over one that was erased": ["12345\r\u001b[Kab", [["ab"]]],
  "an erased line": ["12345\u001b[2K\rab", [["ab   "]]],
  "a line that is erased up to the cursor": ["12345\b\b\u001b[1K", [["   ", "45"]]],
  "a style in the middle of what was there": [
    "12345\r12\u001b[31m3\u001b[0m",
    [["12", { text: "3", colour: RED }, "45"]],
  ],
  "a backspace at the start of a line": ["\ba", [["a"]]],
  "a style that goes on over lines": [
    "\u001b[3ma\nb\u001b[23mc",
    [[{ text: "a", isItalic: true }], [{ text: "b", isItalic: true }, "c"]],
  ],
  "a bright colour and a bright background": [
    "\u001b[91;104ma",
    [[{ text: "a", colour: [241, 76, 76], background: [59, 142, 234] }]],
  ],
  "one of 256 colours": [
    "\u001b[38;5;208;48;5;244ma",
    [[{ text: "a", colour: [255, 135, 0], background: [128, 128, 128] }]],
  ],
  "a true colour": ["\u001b[38;2;1;2;3;1ma", [[{ text: "a", colour: [1, 2, 3], isBold: true }]]],
  "a true colour with colons": ["\u001b[38:2::1:2:3ma", [[{ text: "a", colour: [1, 2, 3] }]]],
  "a colour that does not exist": ["\u001b[38;5;256;48;2;1;2;999ma", [["a"]]],
  "dim, underlined, inverse and struck text": [
    "\u001b[2;4;7;9ma\u001b[22;24;27;29mb",
    [[{ text: "a", isDim: true, isUnderlined: true, isInverse: true, isStruck: true }, "b"]],
  ],
  "a curly underline and its end": [
    "\u001b[4:3ma\u001b[4:0mb",
    [[{ text: "a", isUnderlined: true }, "b"]],
  ],
  "movements of the cursor and a cleared screen": ["a\u001b[2J\u001b[H\u001b[3Ab", [["ab"]]],
  "private modes": ["\u001b[?25la\u001b[>4;2mb\u001b[?2026h", [["ab"]]],
  "a title, with both ends": ["\u001b]0;evil\u0007a\u001b]2;evil\u001b\\b", [["ab"]]],
  "a clipboard write and a device string": [
    "\u001b]52;c;ZXZpbA==\u0007a\u001bP1;2q\u001b\\b",
    [["ab"]],
  ],
  "a title without an end": ["\u001b]0;never ends\nb", [[], ["b"]]],
  "a sequence that is cut off": ["a\u001b[38;5", [["a"]]],
  "other controls": ["a\u0000\u0007\u007f\u009bKb\u001bcc", [["abc"]]],
  "a link with an id": [
    "\u001b]8;id=1;https://example.com/a;b\u001b\\a\u001b]8;;\u001b\\b",
    [[{ text: "a", url: "https://example.com/a;b" }, "b"]],
  ],
  "a tab": ["a\tb", [["a\tb"]]],
};

for (const [name, [output, lines]] of Object.entries(CASES))
  test(`terminal output with ${name} is shown`, () => {
    expect(shown(output)).toEqual(lines);
  });

test("the text of a terminal has no styles and no lines that were written over", () => {
  const lines = terminalLines("\u001b[1mBuild\u001b[0m\n10%\r100%\ndone\n");
  expect(plainText(lines)).toBe("Build\n100%\ndone");
});

test("a line that is written over ten thousand times is shown in a moment", () => {
  const output = Array.from(
    { length: 10_000 },
    (_, at) => `\r\u001b[${31 + (at % 6)}m${at} of 10000`,
  );
  const start = performance.now();
  expect(plainText(terminalLines(output.join("")))).toBe("9999 of 10000");
  expect(performance.now() - start).toBeLessThan(1_000);
});

test("a line of twenty thousand colours is shown in a moment", () => {
  const output = Array.from({ length: 20_000 }, (_, at) => `\u001b[38;5;${at % 256}mx`).join("");
  const start = performance.now();
  expect(terminalLines(output)[0]?.length).toBe(20_000);
  expect(performance.now() - start).toBeLessThan(1_000);
});
