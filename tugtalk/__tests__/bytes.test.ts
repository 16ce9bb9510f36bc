/** Random bytes through a bridge process, on either pipe. `properties.test.ts` has many more, in process. */
import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { startBridge, type TestBridge } from "../testing/drivers/bridge-process.ts";
import { initialize } from "../testing/drivers/bridge-states.ts";
import { claudeThat } from "../testing/drivers/claudes.ts";
import { folder } from "../testing/drivers/written-conversation.ts";
import { observe } from "../testing/observer/observer.ts";
import { seedOf } from "../testing/random/property-check.ts";
import { chunksOf, claudeBytes, hostBytes } from "../testing/random/random-bytes.ts";

/** Each sample is a few lines, most of them invalid. */
const STRINGS = 100;

let bridge: TestBridge | undefined;
afterEach(() => bridge?.kill());

/** The bridge answers, ends with code 0, and has kept every guarantee that its host can observe. */
async function endsWell(open: TestBridge): Promise<void> {
  open.send({ type: "no such type", id: "last" });
  await open.next(({ in_reply_to }) => in_reply_to === "last");
  open.closeInput();
  expect(await open.exited).toBe(0);
  expect(observe({ received: open.received, isOver: true })).toEqual([]);
}

test("no bytes from the host end the bridge", async () => {
  const seed = seedOf("bytes of the host's");
  bridge = startBridge();
  await initialize(bridge);
  for (const bytes of fc.sample(hostBytes, { seed, numRuns: STRINGS }))
    for (const chunk of chunksOf(bytes)) bridge.sendRaw(chunk);
  await endsWell(bridge);
}, 30_000);

test("no bytes from Claude end the bridge", async () => {
  const seed = seedOf("bytes of Claude's");
  const path = join(folder, "printed-bytes");
  const strings = fc.sample(claudeBytes, { seed, numRuns: STRINGS });
  writeFileSync(path, Buffer.concat(strings.map(({ bytes }) => bytes)));
  bridge = startBridge({ claude: claudeThat("prints-bytes"), env: { PRINTED_BYTES: path } });
  await initialize(bridge);
  await bridge.next(({ original_type }) => original_type === "the_end_of_the_bytes");
  await endsWell(bridge);
}, 30_000);
