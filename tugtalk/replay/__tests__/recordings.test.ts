/**
 * Every recording in the folder `recordings` replays without differences. A recording from a
 * user becomes a test when it is copied there. Names that begin with `claude` are of that version of
 * the CLI with a scripted API; names that begin with `simulator` are of the simulator.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { expectAsItWas, replayFile } from "./support/replayed.ts";

const FOLDER = join(import.meta.dir, "recordings");
const RECORDINGS = [...new Bun.Glob("*.jsonl").scanSync(FOLDER)].sort();

test.each(RECORDINGS)("%s replays without differences", async (name) => {
  const replay = await replayFile(join(FOLDER, name), { mayAddFields: true });
  expectAsItWas(replay);
  expect(replay.emitted.length).toBeGreaterThan(0);
});

test("a replay emits the same messages each time", async () => {
  const [first = ""] = RECORDINGS;
  const [one, other] = [
    await replayFile(join(FOLDER, first)),
    await replayFile(join(FOLDER, first)),
  ];
  expect(one.emitted).toEqual(other.emitted);
});
