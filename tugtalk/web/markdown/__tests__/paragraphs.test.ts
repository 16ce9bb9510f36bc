/** A text that is drawn without reading its marks has none. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { EMPTY_TEXT, lexMarkdown } from "../block-lexer.ts";
import { paragraphsOf } from "../paragraphs.ts";

/** Texts that are nearly a mark, and separators. */
const PIECES = [
  ...[
    "a",
    "word ",
    "é",
    "한",
    "1",
    "12. ",
    "3)",
    ".",
    ":",
    ";",
    "!",
    "?",
    "-",
    "–",
    "+",
    "=",
    "(",
    ")",
  ],
  ...["/", "//", "http", "www", "$", "^", "%", "'", '"', "{", "}", "...", ": ", "- ", "+ ", "=== "],
  ...["\n", "\n\n", "\n\n\n", " ", "  ", "\u00a0", "\u2028"],
  ...["*", "_", "`", "~", "[", "]", "<", ">", "&", "\\", "|", "#", "@", "\t", "://", "www.", ":-"],
];

/** Texts of pieces that a plain text may have, for the most part. */
const text = fc
  .array(fc.constantFrom(...PIECES.slice(0, 41)), { maxLength: 30 })
  .map((pieces) => pieces.join(""));

test("a text without marks has the paragraphs that Markdown makes of it", () => {
  let plain = 0;
  fc.assert(
    fc.property(text, (sample) => {
      const paragraphs = paragraphsOf(sample);
      if (paragraphs === undefined) return;
      plain += 1;
      const { groups } = lexMarkdown(EMPTY_TEXT, sample, true);
      expect(groups.flat()).toMatchObject(
        paragraphs.map((paragraph) => ({
          type: "paragraph",
          tokens: [{ type: "text", text: paragraph }],
        })),
      );
    }),
    { numRuns: 5_000 },
  );
  expect(plain).toBeGreaterThan(500);
});

test("a text with a mark is not plain, wherever the mark stands", () => {
  for (const mark of PIECES.slice(-17))
    for (const sample of [mark, `a${mark}`, `a\n${mark} b`, `a ${mark}b`])
      if (!/^a ?:-/.test(sample)) expect(paragraphsOf(sample)).toBeUndefined();
});

test("a line that begins like a list, an underline or a cell is no plain text", () => {
  for (const start of ["- a", "+ a", "12. a", "1) a", "---", "===", ":-", "  a"])
    expect(paragraphsOf(`One line\n${start}`)).toBeUndefined();
});

test("a long text is left to the reader of parts", () => {
  expect(paragraphsOf("word ".repeat(700))).toBeDefined();
  expect(paragraphsOf("word ".repeat(900))).toBeUndefined();
});
