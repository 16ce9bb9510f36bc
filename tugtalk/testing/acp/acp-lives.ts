/** Random lives of an ACP agent, and known ones: the steps, then all is finished, loaded once more, and ended. */
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { checkProperty } from "../random/property-check.ts";
import { AcpHarness } from "./acp-harness.ts";
import { anyStep, execute, finishAll, loadAll, type Step } from "./random-client.ts";

type Life = { readonly client: number; readonly steps: readonly Step[] };

const STEPS = { maxLength: 60, size: "max" } as const;

/** The capabilities of clients. */
const CAPABILITIES = [
  {},
  { elicitation: { form: {}, url: {} } },
  { elicitation: { form: {} }, session: { notices: {}, compaction: {} } },
  { subagents: {}, session: { notices: {} } },
] as const;

const anyLife: fc.Arbitrary<Life> = fc.record({
  client: fc.nat({ max: CAPABILITIES.length - 1 }),
  steps: fc.array(anyStep, STEPS),
});

/** Every broken guarantee of one life; `client` is the place of its capabilities. */
async function faultsOf({ client, steps }: Life): Promise<string[]> {
  const harness = new AcpHarness(CAPABILITIES[client]);
  await harness.settle();
  await execute(harness, { does: "begin", session: 0, pick: 0 });
  for (const step of steps) await execute(harness, step);
  await finishAll(harness);
  await loadAll(harness);
  await harness.end();
  return harness.brokenGuarantees();
}

/** Declares the test of `runs` lives. */
export function testLives(runs: number, limitMs: number): void {
  const name = "whatever client and Claude do, the guarantees of the ACP edge hold";
  test(
    name,
    () => checkProperty({ name, values: anyLife, runs, limitMs, faultsOf }),
    limitMs + 30_000,
  );
}

/** The steps of a life: each action, the number that chooses all else, and the place of its Claude. */
export type Steps = readonly (readonly [does: Step["does"], pick: number, claude?: number])[];

/** A life that has broken a guarantee; `client` is the place of its capabilities. */
type KnownLife = readonly [name: string, steps: Steps, client?: number];

/** Declares a test of each life. */
export function testKnownLives(lives: readonly KnownLife[]): void {
  test.each([...lives])("the guarantees hold in a life: %s", async (_name, steps, client = 0) => {
    const life = steps.map(([does, pick, session = 0]) => ({ does, session, pick }));
    expect(await faultsOf({ client, steps: life })).toEqual([]);
  });
}
