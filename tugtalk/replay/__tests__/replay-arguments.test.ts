/** The command line of `tugtalk replay`. */
import { expect, test } from "bun:test";
import { parseReplayArguments } from "../replay.ts";

const GOOD: readonly [string, object][] = [
  ["a.jsonl", { file: "a.jsonl" }],
  ["a --help", { help: true }],
  ["-h", { help: true }],
];

test.each(GOOD)("the arguments `%s` are parsed", (words, chosen) => {
  expect(parseReplayArguments(words.split(" "))).toEqual(chosen as never);
});

const BAD: readonly [string[], unknown][] = [
  [[], "the file of a recording is missing"],
  [["a", "b"], "one recording at a time: b"],
  [["a", "--loud"], expect.stringContaining("Unknown option '--loud'")],
];

test.each(BAD)("the invalid arguments %j have a problem", (words, problem) => {
  expect(parseReplayArguments(words)).toEqual({ problem } as never);
});
