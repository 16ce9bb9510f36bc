/**
 * Random lives of sessions that three hosts share. Hosts are killed and stopped, their database is killed,
 * and the connections to it are cut and frozen. Meanwhile clients send messages and answers at any host, some
 * of them twice.
 */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Sending, SharedLife } from "./support/shared-life.ts";
import { FAULTS, type Fault, HOSTS, SharedWorld } from "./support/shared-world.ts";

/** A release is tried with `TUGTALK_LIVES=1000`. */
const LIVES = Number(process.env["TUGTALK_LIVES"] ?? 8);
const SEED = Number(process.env["TUGTALK_SEED"] ?? Date.now() % 1_000_000);
/** `TUGTALK_ROUNDS=18-21` runs these rounds only. */
const [FIRST = 0, LAST = Number.POSITIVE_INFINITY] = (process.env["TUGTALK_ROUNDS"] ?? "")
  .split("-")
  .flatMap((part) => (part === "" ? [] : [Number(part)]));
/** Lives at the same time, which suffer the same faults. */
const AT_ONCE = 8;
const ROUND_MS = 120_000;

const host = fc.nat({ max: HOSTS - 1 });
const SomeSendings = fc.array(
  fc
    .record({
      host,
      isTwice: fc.boolean(),
      waitMs: fc.nat({ max: 1_500 }),
      isEnd: fc.nat({ max: 5 }).map((one) => one === 0),
    })
    .map((sending) => ({ ...sending, isMove: sending.waitMs % 5 === 0 })),
  { minLength: 1, maxLength: 4 },
);
/** All kinds of faults, or the named ones. */
const KINDS = process.env["TUGTALK_FAULTS"]?.split(",") ?? FAULTS;
const LONG = /_long$/;
const SomeFault: fc.Arbitrary<Fault> = fc
  .record({
    kind: fc.constantFrom(...FAULTS.filter((kind) => KINDS.includes(kind))),
    host,
    atMs: fc.nat({ max: 2_000 }),
    part: fc.nat({ max: 1_000 }),
  })
  // The lease lasts two seconds.
  .map(({ part, ...fault }) => ({
    ...fault,
    forMs: LONG.test(fault.kind) ? 3_000 + 5 * part : part,
  }));
const SomeRound = fc.record({
  lives: fc.array(SomeSendings, { minLength: AT_ONCE, maxLength: AT_ONCE }),
  faults: fc.array(SomeFault, { minLength: 1, maxLength: 3 }),
});
type Round = { readonly lives: readonly Sending[][]; readonly faults: readonly Fault[] };

async function liveRound(world: SharedWorld, { lives, faults }: Round, name: string) {
  const way = { host: 0, isTwice: true };
  const begun = await Promise.all(
    lives.map((_, number) => SharedLife.begin(world, `${name}.${number}`, way)),
  );
  const living = begun.map((life, number) => life.live(lives[number] ?? []));
  const ended = await Promise.allSettled([...living, ...faults.map((one) => world.suffer(one))]);
  await world.ready();
  const rested = await Promise.allSettled(
    begun.map((life, number) => life.rest({ host: number, isTwice: number % 2 === 0 })),
  );
  const deleted = await Promise.allSettled(
    begun.map((life, number) => life.delete({ host: number, isTwice: number % 2 === 1 })),
  );
  return [...ended, ...rested, ...deleted].flatMap((one) =>
    one.status === "rejected" ? [String(one.reason?.message ?? one.reason)] : [],
  );
}

test(
  `in ${LIVES} random lives of sessions that three hosts share nothing is lost, done twice, or done by two Claudes (seed ${SEED})`,
  async () => {
    const rounds = fc.sample(SomeRound, { numRuns: Math.ceil(LIVES / AT_ONCE), seed: SEED });
    const world = await SharedWorld.open({ clocks: [0, 1, -1] });
    const failures: unknown[] = [];
    try {
      for (const [number, round] of rounds.entries()) {
        if (number < FIRST || number > LAST) continue;
        const wrong = await liveRound(world, round, `${number}`);
        if (wrong.length > 0) failures.push({ number, ...round, wrong });
      }
    } finally {
      await world.end();
    }
    expect(failures).toEqual([]);
  },
  ROUND_MS * LIVES,
);
