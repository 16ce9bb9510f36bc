/** `.ci/bench.ts`, which runs the benchmarks: its help, and invalid arguments. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { runCommand } from "../../testing/drivers/ended-command.ts";

const ROOT = join(import.meta.dir, "..", "..", "..");

function run(words: readonly string[]) {
  return runCommand([process.execPath, ".ci/bench.ts", ...words], { cwd: ROOT });
}

const REFUSED: readonly [words: string, problem: string][] = [
  ["--bogus", "bench: Unknown option '--bogus'"],
  ["nonsense", "bench: there is no benchmark nonsense; there are slow-host, "],
  ["soak --rounds=1", "bench: Unknown option '--rounds'"],
  ["peers --short --rounds=0", "peers: --rounds=0: a whole number from 1 on"],
  ["peers --short --contenders=nonsense", "peers: there is no nonsense; there are "],
  ["peers --short --table=/nowhere/page.md", "peers: --table=/nowhere/page.md: ENOENT"],
  ["peers --against", "bench: Option '--against <value>' argument missing"],
];

test.each([...REFUSED])(
  "the arguments %j of a benchmark are refused in one line",
  async (words, problem) => {
    const { out, err, code } = await run(words.split(" "));
    expect({ out, code }).toEqual({ out: "", code: 2 });
    expect(err).toStartWith(problem);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  },
);

test("--help prints the benchmarks and their flags", async () => {
  const { out, err, code } = await run(["peers", "--help"]);
  expect({ err, code }).toEqual({ err: "", code: 0 });
  expect(out).toContain("names: slow-host, ");
});
