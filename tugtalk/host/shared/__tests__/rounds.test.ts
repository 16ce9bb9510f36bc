/** Work that is repeated if it is asked for while it runs. */
import { expect, test } from "bun:test";
import { failureOf } from "../../../testing/drivers/failure.ts";
import { Rounds } from "../rounds.ts";

/** More moments than pass between the end of the work and the end of its last round. */
const MOMENTS = Array.from({ length: 10 }, (_, moment) => moment);

test.each(MOMENTS)(
  "a request %p moments after the work ends gets a round of its own",
  async (moment) => {
    const first = Promise.withResolvers<void>();
    let begun = 0;
    const rounds = new Rounds(async () => {
      begun += 1;
      if (begun === 1) await first.promise;
    });
    const asked = rounds.ask();
    first.resolve();
    for (let count = 0; count < moment; count += 1) await Promise.resolve();
    await rounds.ask();
    expect(begun).toBe(2);
    await asked;
  },
);

test("however often it is asked for meanwhile, one more round is enough", async () => {
  let begun = 0;
  const rounds = new Rounds(async () => {
    begun += 1;
  });
  await Promise.all([rounds.ask(), rounds.ask(), rounds.ask()]);
  expect(begun).toBe(2);
});

test("a round that fails rejects, and the next one begins when it is asked for", async () => {
  const failures = [new Error("away")];
  const rounds = new Rounds(async () => {
    const failure = failures.pop();
    if (failure !== undefined) throw failure;
  });
  expect(await failureOf(rounds.ask())).toEqual(new Error("away"));
  await rounds.ask();
});
