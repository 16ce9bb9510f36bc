/** Flags in their usual forms have the meaning that `parseArgs` gives them. */
import { expect, test } from "bun:test";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { readFlags } from "../flags.ts";

const OPTIONS = {
  dir: { type: "string" },
  "on-eof": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

const words = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...[
        "--dir",
        "--dir=",
        "--dir=/a=b",
        "--on-eof=drain",
        "--on-eof",
        "--help",
        "--help=1",
        "-h",
      ],
      ...[
        "--no-help",
        "--",
        "-",
        "--__proto__=1",
        "--constructor",
        "/a",
        "",
        "-x",
        "dir=1",
        "xxdir=1",
      ],
    ),
    fc.string(),
  ),
  { maxLength: 5 },
);

function oracle(args: string[]) {
  const [word] = args;
  if (word !== undefined && !word.startsWith("-")) return { problem: `unknown word: ${word}` };
  try {
    return { values: { ...parseArgs({ args, options: OPTIONS }).values } };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

test("flags are read as parseArgs reads them, and a word before them is unknown", () => {
  fc.assert(
    fc.property(words, (args) => {
      const parsed = readFlags(args, OPTIONS);
      const copied = "flags" in parsed ? { values: { ...parsed.flags } } : parsed;
      expect(copied).toEqual(oracle(args));
    }),
    { numRuns: 2000 },
  );
});
