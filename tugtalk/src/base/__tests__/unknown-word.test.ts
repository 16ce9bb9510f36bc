/** A word that nobody knows, and the known one that was meant. */
import { expect, test } from "bun:test";
import { COMMANDS } from "../../edge/arguments.ts";
import { unknownWord } from "../unknown-word.ts";

const MEANT: readonly [word: string, meant: string | undefined][] = [
  ["hots", "host"],
  ["hosts", "host"],
  ["sim", "simulate"],
  ["simulator", "simulate"],
  ["docter", "doctor"],
  ["relpay", "replay"],
  ["schemas", "schema"],
  ["help", "--help"],
  ["version", "--version"],
  ["h", "host"],
  ["x", undefined],
  ["", undefined],
  ["frobnicate", undefined],
];

test.each(MEANT)("for the unknown word %j the nearest command is named: %p", (word, meant) => {
  const advice = meant === undefined ? "" : `; did you mean ${meant}?`;
  expect(unknownWord(word, COMMANDS)).toBe(`unknown word: ${word}${advice}`);
});
