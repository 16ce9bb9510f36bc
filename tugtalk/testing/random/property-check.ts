/**
 * Checks a property over many runs. The seed is printed always; `TUGTALK_SEED` repeats one, and with
 * `TUGTALK_PATH` it goes straight to the counterexample that a failure names.
 */
import * as fc from "fast-check";

export type Check<Value> = {
  readonly name: string;
  readonly values: fc.Arbitrary<Value>;
  readonly runs: number;
  /** After this time no more runs are made, and a failure is not shrunk any further. */
  readonly limitMs: number;
  /** What is broken, in sentences. */
  readonly faultsOf: (value: Value) => Promise<readonly string[]>;
};

/** The seed of what a name stands for; it is printed. */
export function seedOf(name: string): number {
  const seed = Number(process.env["TUGTALK_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`${name}: seed ${seed}`);
  return seed;
}

/** Throws with the smallest counterexample that was found, its seed and its path. */
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
