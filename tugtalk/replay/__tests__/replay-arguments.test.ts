/** The command line of `tugtalk replay`. */
import { expect, test } from "bun:test";
import { parseReplayArguments } from "../replay.ts";

const GOOD: readonly [string, object][] = [
  ["a.jsonl", { file: "a.jsonl", speed: undefined }],
  ["a.jsonl --speed 1", { file: "a.jsonl", speed: 1 }],
  ["--speed=0.5 a.jsonl", { file: "a.jsonl", speed: 0.5 }],
  ["a --help", { help: true }],
  ["-h", { help: true }],
];

test.each(GOOD)("the words `%s` are read", (words, chosen) => {
  expect(parseReplayArguments(words.split(" "))).toEqual(chosen as never);
});

const BAD: readonly [string[], unknown][] = [
  [[], "the file of a recording is missing"],
  [["a", "b"], "one recording at a time: b"],
  [["a", "--loud"], expect.stringContaining("Unknown option '--loud'")],
  [["a", "--speed"], "Option '--speed <value>' argument missing"],
  [["a", "--speed="], "--speed: not a valid value: "],
  [["a", "--speed=0"], "--speed: not a valid value: 0"],
  [["a", "--speed=fast"], "--speed: not a valid value: fast"],
];

test.each(BAD)("what is wrong with %j is said", (words, problem) => {
  expect(parseReplayArguments(words)).toEqual({ problem } as never);
});
