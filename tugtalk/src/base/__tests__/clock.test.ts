import { expect, test } from "bun:test";
import { fakeClock } from "../../../testing/drivers/fake-claude.ts";
import { backpressureClock } from "../clock.ts";

/** A clock whose host reads or not, and a limit on it. */
function limited(ms: number) {
  const inner = fakeClock();
  const host = { isBlocked: false };
  const never = Promise.withResolvers<void>().promise;
  const clock = backpressureClock(inner, () => (host.isBlocked ? never : undefined));
  const fired: number[] = [];
  const timer = clock.setTimer(() => fired.push(inner.now()), ms);
  /** Time passes in small steps, as it does. */
  const pass = (time: number) => {
    for (let passed = 0; passed < time; passed += 100) inner.advance(100);
  };
  return { clock, host, fired, timer, pass };
}

test("a limit fires when it has passed, and once", () => {
  const { fired, pass } = limited(5_000);
  pass(4_900);
  expect(fired).toEqual([]);
  pass(60_000);
  expect(fired).toEqual([5_000]);
});

test.each([
  ["from the beginning", 0, 60_000],
  ["for the end of it", 9_000, 60_000],
  ["for a part of it", 5_000, 4_500],
  ["for a while that ends just before it", 1_000, 8_900],
])("Claude has the whole limit after a host that did not read %s", (_name, before, blocked) => {
  const limit = 10_000;
  const { host, fired, pass } = limited(limit);
  pass(before);
  host.isBlocked = true;
  pass(blocked);
  host.isBlocked = false;
  pass(limit - 100);
  expect(fired).toEqual([]);
  pass(1_100);
  expect(fired).toHaveLength(1);
});

test("a limit of 0 ms waits for the host all the same", () => {
  const inner = fakeClock();
  let writing: Promise<void> | undefined = Promise.withResolvers<void>().promise;
  let fired = 0;
  backpressureClock(inner, () => writing).setTimer(() => {
    fired += 1;
  }, 0);
  inner.advance(60_000);
  expect(fired).toBe(0);
  writing = undefined;
  inner.advance(1_000);
  expect(fired).toBe(1);
});

test("a host that is written to all the time, and reads, delays a limit by a second at most", () => {
  const inner = fakeClock();
  let fired = 0;
  const timer = () => {
    fired += 1;
  };
  backpressureClock(inner, () => Promise.resolve()).setTimer(timer, 5_000);
  for (let second = 0; second < 6; second += 1) inner.advance(1_000);
  expect(fired).toBe(1);
});

test("a limit that is taken back does not fire, also after it has waited", () => {
  const { clock, host, fired, timer, pass } = limited(5_000);
  host.isBlocked = true;
  pass(6_000);
  clock.clearTimer(timer);
  host.isBlocked = false;
  pass(60_000);
  expect(fired).toEqual([]);
});

test("taking back a limit that was never set does nothing", () => {
  const { clock, fired, pass } = limited(5_000);
  clock.clearTimer(undefined);
  pass(5_000);
  expect(fired).toEqual([5_000]);
});
