/** The clock of a replay, driven by the timer entries of a recording. */
import { expect, test } from "bun:test";
import { VirtualClock } from "../virtual-clock.ts";

const START = 1_000_000;

/** A clock with timers of these delays; `ran` has the numbers of the timers that ran. */
function withTimers(...delays: readonly number[]) {
  const clock = new VirtualClock(START);
  const ran: number[] = [];
  for (const [index, delay] of delays.entries()) clock.setTimer(() => ran.push(index + 1), delay);
  return { clock, ran };
}

test("the timer with the recorded number runs once", () => {
  const { clock, ran } = withTimers(100, 100, 100);
  clock.fire(2, 100);
  expect(ran).toEqual([2]);
  clock.fire(2, 100);
  expect(ran).toEqual([2, 1]);
});

test("the oldest timer with the delay runs when the number is that of another delay", () => {
  const { clock, ran } = withTimers(5_000, 200, 200);
  clock.fire(1, 200);
  expect(ran).toEqual([2]);
});

test("a timer runs when its delay differs by a few milliseconds", () => {
  const { clock, ran } = withTimers(730, 733);
  clock.fire(2, 730);
  expect(ran).toEqual([2]);
});

test("no timer runs when none has the delay", () => {
  const { clock, ran } = withTimers(5_000);
  clock.fire(1, 200);
  expect(ran).toEqual([]);
});

test("the clock stays at the time that it is set to", () => {
  const clock = new VirtualClock(START);
  expect(clock.now()).toBe(START);
  clock.moveTo(START + 10);
  expect([clock.now(), clock.now()]).toEqual([START + 10, START + 10]);
});
