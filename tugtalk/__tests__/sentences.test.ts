/** Documents are short, and so are their sentences. */
import { expect, test } from "bun:test";
import { GUIDE } from "../../.ci/protocol-pages.ts";
import { document, documentPaths } from "./support/markdown.ts";
import { sentencesOf, wordCount } from "./support/sentences.ts";

/** The most words of a document, all of it counted: code and tables too. */
const DOCUMENT_BOUNDS: readonly (readonly [path: string, words: number])[] = [
  [GUIDE, 6_000],
  ["README.md", 1_500],
];

/** The most words of a sentence, in every document. */
const SENTENCE_BOUND = 30;

test.each(DOCUMENT_BOUNDS)("%s has at most %d words", (path, words) => {
  expect(document(path).trim().split(/\s+/).length).toBeLessThanOrEqual(words);
});

/** Its cells are what clients and agents have said, as a script has written it down. */
const RECORDED = "roadmap/acp.md";

test.each(documentPaths().filter((path) => path !== RECORDED))(
  "no sentence of %s has more than 30 words, or says what is what",
  (path) => {
    const sentences = sentencesOf(document(path));
    expect(sentences.length).toBeGreaterThan(1);
    const faults = sentences.filter(
      (sentence) =>
        wordCount(sentence) > SENTENCE_BOUND || /\bwhat\b[^.]*\bis what\b/i.test(sentence),
    );
    expect(faults).toEqual([]);
  },
);

test("sentences end at full stops and at the ends of items and cells, and code has none", () => {
  const text = [
    "# A title",
    "One `a b c` is here. tugtalk 2.1.38 is [there](a/b.md)! Is",
    "it?",
    "- An item; with a clause",
    "- **Another.** And",
    "",
    "| a cell | another cell. Two |",
    "",
    "```sh",
    "code that is long. and long",
    "```",
  ].join("\n");
  expect(sentencesOf(text).map(wordCount)).toEqual([2, 4, 4, 2, 5, 1, 1, 2, 2, 1]);
});
