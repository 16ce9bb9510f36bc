/** `.ci/bench.ts`, which runs the benchmarks: its help, and arguments that cannot be used. */
import { expect, test } from "bun:test";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..", "..");

async function run(words: readonly string[]) {
  const child = Bun.spawn([process.execPath, ".ci/bench.ts", ...words], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { out, err, code: await child.exited };
}

const REFUSED: readonly [words: string, problem: string][] = [
  ["--bogus", "bench: Unknown option '--bogus'"],
  ["nonsense", "bench: there is no benchmark nonsense; there are slow-host, "],
  ["soak --rounds=1", "bench: Unknown option '--rounds'"],
  ["peers --bogus", "bench: Unknown option '--bogus'"],
  ["peers --quick --rounds=0", "peers: --rounds=0: a whole number from 1 on"],
  ["peers --quick --only=nonsense", "peers: there is no nonsense; there are "],
  ["peers --quick --contenders=nonsense", "peers: there is no nonsense; there are "],
  ["peers --table=/nowhere/page.md --only=start", "peers: --table=/nowhere/page.md: ENOENT"],
  ["channels --rounds=many", "channels: --rounds=many: a whole number from 1 on"],
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

test.each([["--help"], ["peers --help"]])("%s prints what can be asked for", async (words) => {
  const { out, err, code } = await run(words.split(" "));
  expect({ err, code }).toEqual({ err: "", code: 0 });
  expect(out).toContain("names: slow-host, ");
});
