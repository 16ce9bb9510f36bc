import { expect, test } from "bun:test";
import { Readable } from "node:stream";
import { readLines } from "../line-reader.ts";

async function linesOf(texts: readonly string[], maxChars?: number): Promise<string[]> {
  const lines: string[] = [];
  const stream = Readable.from(texts);
  const ended = new Promise((resolve) => stream.once("close", resolve));
  readLines(stream, (line) => lines.push(line), maxChars);
  await ended;
  return lines;
}

test("lines are put together from the pieces in which they come, and the last needs no newline", async () => {
  expect(await linesOf(["a", "b\nc\n\nd", "e"])).toEqual(["ab", "c", "de"]);
});

test("a line without an end comes in parts, so that it does not fill the memory", async () => {
  expect(await linesOf(["abc", "def", "gh\ni"], 5)).toEqual(["abcdef", "gh", "i"]);
});
