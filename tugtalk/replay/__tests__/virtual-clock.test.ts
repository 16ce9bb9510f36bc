/** The clock of a replay, driven by the timer entries of a recording. */
import { expect, test } from "bun:test";
import { VirtualClock } from "../virtual-clock.ts";

test.each([
  ["of two with the delay the one that was set first", [100, 100], 100, [0]],
  ["one with about the delay", [5_000, 730], 733, [1]],
  ["none where none has about the delay", [5_000], 200, []],
])("the timer that runs is %s", (_which, delays, recorded, wanted) => {
  const clock = new VirtualClock(0);
  const ran: number[] = [];
  for (const [index, delay] of delays.entries()) clock.setTimer(() => ran.push(index), delay);
  clock.fire(recorded);
  expect(ran).toEqual(wanted);
});

test("the clock stays at the time that it is set to", () => {
  const clock = new VirtualClock(0);
  clock.moveTo(10);
  expect([clock.now(), clock.now()]).toEqual([10, 10]);
});
