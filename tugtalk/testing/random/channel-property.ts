/** Random lives of several channels in one process: the laws of a bridge hold for each of them. */
import * as fc from "fast-check";
import type { BridgeHarness } from "./bridge-harness.ts";
import { property } from "./bridge-properties.ts";
import { checkAnswers, checkRecovery, end, open, type RunSetup, runSetup } from "./harness-run.ts";
import { testProperty } from "./property-test.ts";
import { anyStep, execute, type Step } from "./random-steps.ts";
import { SharedBridge } from "./shared-bridge.ts";

const CHANNELS = 5;

/** One step in one of the channels. */
type ChannelStep = { readonly at: number; readonly step: Step };

/** Steps that end the whole process are no part of the life of one channel. */
const OF_ALL: ReadonlySet<string> = new Set(["break stdout"]);

/** There is one host, so it reads all channels or none. */
const READING: ReadonlySet<string> = new Set(["stop reading", "resume reading"]);

const channelStep: fc.Arbitrary<ChannelStep> = fc.record({
  at: fc.nat({ max: CHANNELS - 1 }),
  step: anyStep.filter(({ does }) => !OF_ALL.has(does)),
});

type Life = { readonly setups: readonly RunSetup[]; readonly steps: readonly ChannelStep[] };

const EACH_CHANNEL = property(
  {
    name: `each of ${CHANNELS} channels keeps the guarantees, whatever happens in the others`,
    share: 100,
    events: [
      "a run of three turns",
      ...["success", "cancelled"].map((result) => `turn_complete ${result}`),
      ...["exited", "shutdown"].map((reason) => `turn_cancelled ${reason}`),
      ...["process_exit true", "process_exit false", "channel_closed"],
    ],
  },
  fc.record({
    setups: fc.array(runSetup, { minLength: CHANNELS, maxLength: CHANNELS }),
    steps: fc.array(channelStep, { maxLength: 120, size: "max" }),
  }),
  live,
);

/** Declares the test, with this many runs of all channels. */
export function testChannels(runs: number, limitMs: number): void {
  testProperty(EACH_CHANNEL, runs, limitMs);
}

async function live({ setups, steps }: Life): Promise<BridgeHarness[]> {
  const shared = new SharedBridge();
  const harnesses: BridgeHarness[] = [];
  for (const [at, setup] of setups.entries())
    harnesses.push(
      await open({ ...setup, connect: (ports) => shared.connect(`channel ${at}`, ports) }),
    );
  for (const { at, step } of steps) await executeIn(harnesses, at, step);
  for (const { host } of harnesses) host.resumeReading();
  for (const harness of harnesses) {
    await checkAnswers(harness);
    await checkRecovery(harness);
    await end(harness);
  }
  shared.close();
  await shared.ended;
  return harnesses;
}

async function executeIn(
  harnesses: readonly BridgeHarness[],
  at: number,
  step: Step,
): Promise<void> {
  const isOfAll = READING.has(step.does);
  const chosen = isOfAll ? harnesses : harnesses.slice(at, at + 1);
  // The end of one channel ends no reading of the pipe that all share.
  for (const harness of chosen) if (isOfAll || !harness.hasEnded) await execute(harness, step);
}
