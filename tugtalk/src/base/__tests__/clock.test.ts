import { expect, test } from "bun:test";
import { fakeClock } from "../../../testing/drivers/fake-claude.ts";
import { backpressureClock } from "../clock.ts";

/** A back-pressure clock with one timer of `ms`, and a host that reads or not. */
function limited(ms: number) {
  const inner = fakeClock();
  const host = { isBlocked: false };
  const never = Promise.withResolvers<void>().promise;
  const clock = backpressureClock(inner, () => (host.isBlocked ? never : undefined));
  const fired: number[] = [];
  const timer = clock.setTimer(() => fired.push(inner.now()), ms);
  const pass = (time: number) => {
    for (let passed = 0; passed < time; passed += 100) inner.advance(100);
  };
  return { clock, host, fired, timer, pass };
}

test("a timer fires once, when its time has passed", () => {
  const { fired, pass } = limited(5_000);
  pass(4_900);
  expect(fired).toEqual([]);
  pass(60_000);
  expect(fired).toEqual([5_000]);
});

test.each([
  ["from the start of the timer", 0, 60_000],
  ["near the end of the timer", 9_000, 60_000],
  ["for a part of the timer", 5_000, 4_500],
  ["until just before the end of the timer", 1_000, 8_900],
])("a timer starts again after the host did not read %s", (_name, before, blocked) => {
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

test("a timer of 0 ms waits for a blocked host", () => {
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

test("a host that reads steadily delays a timer by at most one second", () => {
  const inner = fakeClock();
  let fired = 0;
  const timer = () => {
    fired += 1;
  };
  backpressureClock(inner, () => Promise.resolve()).setTimer(timer, 5_000);
  for (let second = 0; second < 6; second += 1) inner.advance(1_000);
  expect(fired).toBe(1);
});

test("a cleared timer does not fire, even after it was paused", () => {
  const { clock, host, fired, timer, pass } = limited(5_000);
  host.isBlocked = true;
  pass(6_000);
  clock.clearTimer(timer);
  host.isBlocked = false;
  pass(60_000);
  expect(fired).toEqual([]);
});

test("clearing an undefined timer does nothing", () => {
  const { clock, fired, pass } = limited(5_000);
  clock.clearTimer(undefined);
  pass(5_000);
  expect(fired).toEqual([5_000]);
});
