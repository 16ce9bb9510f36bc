/**
 * Checks a property over many runs and prints the seed. `TUGTALK_SEED` repeats a seed; with
 * `TUGTALK_PATH` the check starts at the counterexample that a failure named.
 */
import * as fc from "fast-check";

export type Check<Value> = {
  readonly name: string;
  readonly values: fc.Arbitrary<Value>;
  readonly runs: number;
  /** After this time there are no further runs, and shrinking stops. */
  readonly limitMs: number;
  /** The broken guarantees, as sentences. */
  readonly faultsOf: (value: Value) => Promise<readonly string[]>;
};

/** The seed for this name, which it prints. */
export function seedOf(name: string): number {
  const seed = Number(process.env["TUGTALK_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`${name}: seed ${seed}`);
  return seed;
}

/** Throws with the smallest counterexample found, its seed and its path. */
export async function checkProperty<Value>(check: Check<Value>): Promise<void> {
  const seed = seedOf(`${check.name}, ${check.runs} times`);
  const path = process.env["TUGTALK_PATH"];
  const property = fc.asyncProperty(check.values, async (value) => {
    const faults = await check.faultsOf(value);
    if (faults.length > 0) throw new Error(faults.join("\n"));
  });
  await fc.assert(property, {
    seed,
    numRuns: check.runs,
    interruptAfterTimeLimit: check.limitMs,
    markInterruptAsFailure: true,
    ...(path !== undefined && { path }),
  });
}
