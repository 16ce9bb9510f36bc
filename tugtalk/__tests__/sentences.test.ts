/** Documents are short, and so are the sentences of documents, schemas and comments. */
import { expect, test } from "bun:test";
import { GUIDE } from "../../.ci/protocol-pages.ts";
import { openApiText } from "../host/openapi/document.ts";
import { isJsonObject } from "../src/base/json.ts";
import { document, documentPaths, repositoryFiles } from "./support/markdown.ts";
import { commentsOf, sentencesOf, wordCount } from "./support/sentences.ts";

/** The most words of a document, all of it counted: code and tables too. */
const DOCUMENT_BOUNDS: readonly (readonly [path: string, words: number])[] = [
  [GUIDE, 6_000],
  ["README.md", 1_500],
];

/** The most words of a sentence. */
const SENTENCE_BOUND = 30;

const WHAT_IS_WHAT = /\bwhat\b[^.]*\bis what\b/i;

/** The sentences of a text that are too long, or that name neither thing. */
function faultsOf(text: string): readonly string[] {
  return sentencesOf(text).filter(
    (sentence) => wordCount(sentence) > SENTENCE_BOUND || WHAT_IS_WHAT.test(sentence),
  );
}

test.each(DOCUMENT_BOUNDS)("%s has at most %d words", (path, words) => {
  expect(document(path).trim().split(/\s+/).length).toBeLessThanOrEqual(words);
});

/** A script writes its cells: they quote clients and agents. */
const RECORDED = "roadmap/acp.md";

test.each(documentPaths().filter((path) => path !== RECORDED))(
  "no sentence of %s has more than 30 words, or says what is what",
  (path) => {
    const text = document(path);
    expect(sentencesOf(text).length).toBeGreaterThan(1);
    expect(faultsOf(text)).toEqual([]);
  },
);

/** The texts that a JSON Schema or an OpenAPI document has for people, at any depth. */
function descriptionsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(descriptionsOf);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    /^(?:summary|description)$/.test(key) && typeof inner === "string"
      ? [inner]
      : descriptionsOf(inner),
  );
}

test.each([
  ["the schema of the wire", document("tugtalk/schema.json")],
  ["the OpenAPI document", openApiText()],
])("no sentence of a description in %s has more than 30 words, or says what is what", (_, text) => {
  const descriptions = descriptionsOf(JSON.parse(text));
  expect(descriptions.length).toBeGreaterThan(100);
  expect(descriptions.flatMap(faultsOf)).toEqual([]);
});

test("no sentence of a comment has more than 30 words, or says what is what", () => {
  const sources = repositoryFiles().filter((path) => /\.tsx?$/.test(path));
  expect(sources.length).toBeGreaterThan(1_000);
  const faults = sources.flatMap((path) =>
    commentsOf(document(path))
      .flatMap(faultsOf)
      .map((sentence) => `${path}: ${sentence}`),
  );
  expect(faults).toEqual([]);
});

test("line comments that follow each other are one text, and code has none", () => {
  const source = [
    "/** One. */",
    'const path = "**/*.ts"; // not at the beginning of a line',
    "/**",
    " * Two",
    " * lines.",
    " *",
    " * @returns `text`",
    " */",
    "  // Three",
    "  // four.",
    "  run();",
    "  // Five.",
  ].join("\n");
  const texts = ["One.", "Two\nlines.", "@returns `text`", "Three\nfour.", "Five."];
  expect(commentsOf(source).map((text) => text.trim())).toEqual(texts);
});

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
