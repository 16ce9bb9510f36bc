/** Random lives of an ACP agent: the steps, then all is finished, loaded once more, and ended. */
import { test } from "bun:test";
import * as fc from "fast-check";
import { checkProperty } from "../random/property-check.ts";
import { AcpHarness } from "./acp-harness.ts";
import { anyStep, execute, finishAll, loadAll, type Step } from "./random-client.ts";

const STEPS = { maxLength: 60, size: "max" } as const;

/** Every broken guarantee of one life. */
export async function faultsOf(steps: readonly Step[]): Promise<string[]> {
  const harness = new AcpHarness();
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
  const values = fc.array(anyStep, STEPS);
  test(name, () => checkProperty({ name, values, runs, limitMs, faultsOf }), limitMs + 30_000);
}
