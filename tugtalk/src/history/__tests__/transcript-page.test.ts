/** The lines of a page: a number of turns that fit into one answer. */
import { expect, test } from "bun:test";
import { MAX_PAGE_BYTES, pageOf } from "../transcript-page.ts";

const HALF = MAX_PAGE_BYTES / 2;

/** A line: `s` is a user prompt, `a` opens an answer, any other letter continues it. */
function lines(...short: readonly (readonly [uuid: string, bytes: number])[]) {
  return short.map(([uuid, bytes], number) => ({
    uuid,
    number,
    bytes,
    isUserPrompt: uuid.startsWith("s"),
    opensMessage: uuid.startsWith("a"),
  }));
}

/** The pages from the newest to the oldest. */
function pagesOf(of: ReturnType<typeof lines>, limit: number): string[] {
  const pages: string[] = [];
  let before: string | undefined;
  do {
    const page = pageOf(of, limit, before);
    pages.push(page?.lines.map(({ uuid }) => uuid).join(" ") ?? "none");
    before = page?.before;
  } while (before !== undefined);
  return pages;
}

test("a page of transcript lines has fewer turns when they are too long for one answer", () => {
  const long = lines(["s1", HALF], ["a1", 1], ["s2", HALF], ["a2", 1], ["s3", HALF], ["a3", 1]);
  expect(pagesOf(long, 3)).toEqual(["s3 a3", "s2 a2", "s1 a1"]);
});

test("a page of transcript lines starts with an answer when one turn is too long", () => {
  const turn = lines(["s1", 1], ["a1", HALF], ["b1", HALF], ["a2", HALF], ["b2", 1], ["a3", 1]);
  expect(pagesOf(turn, 1)).toEqual(["a2 b2 a3", "a1 b1", "s1"]);
});

test("a page of transcript lines has at least one answer of any length", () => {
  const answer = lines(["s1", 1], ["a1", 3 * MAX_PAGE_BYTES], ["b1", 1], ["s2", 1]);
  expect(pagesOf(answer, 5)).toEqual(["s2", "a1 b1", "s1"]);
});

test("a page of transcript lines has the lines before the first user prompt", () => {
  expect(pagesOf(lines(["x", 1], ["s1", 1], ["a1", 1]), 1)).toEqual(["x s1 a1"]);
});
