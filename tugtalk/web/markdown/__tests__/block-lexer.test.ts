/** Markdown that is read while it grows has the same tokens as the whole text. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { EMPTY_TEXT, type LexedText, lexMarkdown } from "../block-lexer.ts";

/** The text that is drawn: of the source of a token, marked drops an end of line now and then. */
const blocksOf = ({ groups }: LexedText) =>
  JSON.parse(JSON.stringify(groups.flat(), (key, value) => (key === "raw" ? undefined : value)));

/** Reads a text as it arrives, cut at these places. */
function grow(text: string, ends: readonly number[], isComplete = false): LexedText {
  const states = [...ends, text.length];
  const read = states.reduce(
    (state, end) => lexMarkdown(state, text.slice(0, end), false),
    EMPTY_TEXT,
  );
  return isComplete ? lexMarkdown(read, text, true) : read;
}

const whole = (text: string) => blocksOf(lexMarkdown(EMPTY_TEXT, text, true));

/** Texts that begin and end blocks. */
const PIECES = [
  ...["a", "word ", "**b**", "`c`", "*", "_", "~~", "[x](y)", "<b>", "\\", "&amp;"],
  ...["\n", "\n\n", "\n\n\n", " ", "  ", "    ", "\t", "\r\n"],
  ...["# ", "===", "---", "> ", "- ", "* ", "1. ", "2) ", "- [ ] ", "```", "```js\n", "~~~"],
  ...["| a | b |", "|--|--|", "<div>", "</div>", "<!--", "-->", "<pre>", "http://a.b"],
];

const markdown = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 40 })
  .map((pieces) => pieces.join(""));

test("a text that arrives in pieces has the blocks that it has as a whole, at each moment", () => {
  fc.assert(
    fc.property(markdown, fc.array(fc.nat(80), { maxLength: 20 }), (text, cuts) => {
      const ends = cuts.filter((cut) => cut <= text.length).toSorted((one, two) => one - two);
      expect(blocksOf(grow(text, ends))).toEqual(whole(text));
      expect(blocksOf(grow(text, ends, true))).toEqual(whole(text));
    }),
    { numRuns: 500 },
  );
});

test("a link whose target comes later is a link when the text is complete", () => {
  const text = "See [the page][1].\n\nMore.\n\nAnd more.\n\n[1]: https://example.org\n";
  expect(JSON.stringify(grow(text, [10, 20, 30, 40], true).groups)).toContain('"link"');
  expect(blocksOf(grow(text, [10, 20, 30, 40], true))).toEqual(whole(text));
});

test("a finished block keeps its token, and a group of finished blocks its array", () => {
  const text = Array.from({ length: 100 }, (_, index) => `Paragraph ${index}.\n\n`).join("");
  const first = lexMarkdown(EMPTY_TEXT, text, false);
  const second = lexMarkdown(first, `${text}More of it`, false);
  expect(second.groups.slice(0, 6)).toEqual(first.groups.slice(0, 6));
  expect(second.groups.slice(0, 6).every((group, at) => group === first.groups[at])).toBe(true);
  expect(second.groups[6]?.[0]).toBe(first.groups[6]?.[0]);
  const complete = lexMarkdown(second, `${text}More of it`, true);
  expect(complete.groups.slice(0, 6).every((group, at) => group === first.groups[at])).toBe(true);
});

test("only the end of a long text is read again, also when it is complete", () => {
  const text = "A paragraph.\n\n".repeat(1000);
  const read = lexMarkdown(EMPTY_TEXT, text, false);
  expect(text.length - read.end).toBeLessThan(100);
  const complete = lexMarkdown(read, `${text}The end.`, true);
  expect(complete.groups[0]).toBe(read.groups[0]);
  expect(blocksOf(complete)).toEqual(whole(`${text}The end.`));
});

test("a text of another beginning is read anew", () => {
  const before = lexMarkdown(EMPTY_TEXT, "One.\n\nTwo.\n\nThree.\n\nFour.", false);
  expect(blocksOf(lexMarkdown(before, "Another.", false))).toEqual(whole("Another."));
});

test.each([
  ["quotes in quotes", "> ".repeat(50_000)],
  ["lines without end", "*a\n".repeat(20_000)],
])("what takes too long to be read is shown as it was written: %s", (_, text) => {
  expect(lexMarkdown(EMPTY_TEXT, text, true).groups.flat()).toEqual([
    { type: "text", raw: text, text },
  ]);
});

test("a long block of code and a long rule are not too much", () => {
  const text = `\`\`\`\n${"a line of code\n".repeat(5000)}\`\`\`\n\n${"-".repeat(500)}\n`;
  expect(whole(text).map(({ type }: { type: string }) => type)).toEqual(["code", "hr"]);
});

test("a long paragraph is not searched for emphasis", () => {
  const text = "*a".repeat(9_000);
  expect(whole(text)).toEqual([{ type: "paragraph", text, tokens: [{ type: "text", text }] }]);
});
