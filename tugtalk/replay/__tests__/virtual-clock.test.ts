/** The clock of a replay, as a recording that tells of its timers drives it. */
import { expect, test } from "bun:test";
import { VirtualClock } from "../virtual-clock.ts";

const START = 1_000_000;

/** A clock with timers of these delays; `ran` has the numbers of those that ran. */
function withTimers(...delays: readonly number[]) {
  const clock = new VirtualClock(START);
  const ran: number[] = [];
  for (const [index, delay] of delays.entries()) clock.setTimer(() => ran.push(index + 1), delay);
  return { clock, ran };
}

test("the timer with the number that was noted runs, and only once", () => {
  const { clock, ran } = withTimers(100, 100, 100);
  clock.fire(2, 100);
  expect(ran).toEqual([2]);
  clock.fire(2, 100);
  expect(ran).toEqual([2, 1]);
});

test("where the number is that of another limit, the oldest timer with the delay runs", () => {
  const { clock, ran } = withTimers(5_000, 200, 200);
  clock.fire(1, 200);
  expect(ran).toEqual([2]);
});

test("a delay that was reckoned a moment later is still that of the timer", () => {
  const { clock, ran } = withTimers(730, 733);
  clock.fire(2, 730);
  expect(ran).toEqual([2]);
});

test("where no timer has the delay, none runs", () => {
  const { clock, ran } = withTimers(5_000);
  clock.fire(1, 200);
  expect(ran).toEqual([]);
});

test("the clock stands where it is put", () => {
  const clock = new VirtualClock(START);
  expect(clock.now()).toBe(START);
  clock.moveTo(START + 10);
  expect([clock.now(), clock.now()]).toEqual([START + 10, START + 10]);
});
