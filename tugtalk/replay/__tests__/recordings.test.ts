/**
 * Every recording in the folder `recordings` is played, and all is as it was. A recording from a
 * user becomes a test by being copied there. Those that begin with `claude` are of that version of
 * the CLI, with a scripted API; those that begin with `simulator` are of the stand-in.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { expectAsItWas, replayFile } from "./support/replayed.ts";

const FOLDER = join(import.meta.dir, "recordings");
const RECORDINGS = [...new Bun.Glob("*.jsonl").scanSync(FOLDER)].sort();

test.each(RECORDINGS)("%s is the same again", async (name) => {
  const replay = await replayFile(join(FOLDER, name));
  expectAsItWas(replay);
  expect(replay.emitted.length).toBeGreaterThan(0);
});

test("a replay says the same each time", async () => {
  const [first = ""] = RECORDINGS;
  const [one, other] = [
    await replayFile(join(FOLDER, first)),
    await replayFile(join(FOLDER, first)),
  ];
  expect(one.emitted).toEqual(other.emitted);
});
