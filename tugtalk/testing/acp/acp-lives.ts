/** Random lives of an ACP agent: the steps, then all is finished, loaded once more, and ended. */
import { test } from "bun:test";
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
export async function faultsOf({ client, steps }: Life): Promise<string[]> {
  const harness = new AcpHarness(CAPABILITIES[client]);
  await harness.settle();
  await execute(harness, { does: "begin", session: 0, pick: 0 });
  for (const step of steps) await execute(harness, step);
  await finishAll(harness);
  await loadAll(harness);
  await harness.end();
  return harness.brokenGuarantees();
}

/** Declares the test of so many lives. */
export function testLives(runs: number, limitMs: number): void {
  const name = "whatever client and Claude do, the guarantees of the ACP edge hold";
  test(
    name,
    () => checkProperty({ name, values: anyLife, runs, limitMs, faultsOf }),
    limitMs + 30_000,
  );
}
