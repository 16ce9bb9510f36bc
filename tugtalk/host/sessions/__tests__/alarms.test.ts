/** Times at which sessions continue by themselves, by a clock that a test sets. */
import { expect, test } from "bun:test";
import { Alarms } from "../alarms.ts";

const MAX_WAIT_MS = 1_000_000;

function openAlarms() {
  let now = 0;
  let scheduled: { readonly run: () => void; readonly ms: number } | undefined;
  const rung: string[] = [];
  const alarms = new Alarms({
    now: () => now,
    schedule: (run, ms) => {
      scheduled = { run, ms };
      return () => {
        scheduled = undefined;
      };
    },
    ring: (id) => rung.push(id),
    maxWaitMs: MAX_WAIT_MS,
  });
  const at = (time: number) => {
    now = time;
    const { run } = scheduled ?? {};
    scheduled = undefined;
    run?.();
    return rung.splice(0);
  };
  return { alarms, at, nextMs: () => scheduled?.ms };
}

test("each rings once, at its time and not before", () => {
  const { alarms, at } = openAlarms();
  alarms.set("a", 2_000);
  alarms.set("b", 1_000);
  expect([at(999), at(1_000), at(1_999), at(2_000), at(3_000)]).toEqual([[], ["b"], [], ["a"], []]);
});

test("another time takes the place of the one before, and none takes it away", () => {
  const { alarms, at } = openAlarms();
  alarms.set("a", 1_000);
  alarms.set("a", 2_000);
  alarms.set("b", 1_000);
  alarms.set("b", undefined);
  expect([at(1_500), at(2_000)]).toEqual([[], ["a"]]);
});

test("the clock is looked at twice a second, since a machine may sleep, and only while somebody waits", () => {
  const { alarms, at, nextMs } = openAlarms();
  expect(nextMs()).toBeUndefined();
  alarms.set("a", 100_000);
  expect(nextMs()).toBe(500);
  at(99_900);
  expect(nextMs()).toBe(100);
  at(100_000);
  expect(nextMs()).toBeUndefined();
});

test("a clock that was set back beyond all that is waited for rings at once", () => {
  const { alarms, at } = openAlarms();
  alarms.set("a", 5_000);
  expect(at(5_000 - MAX_WAIT_MS - 1)).toEqual(["a"]);
});

test("none rings once they are closed", () => {
  const { alarms, at, nextMs } = openAlarms();
  alarms.set("a", 1_000);
  alarms.close();
  expect(nextMs()).toBeUndefined();
  expect(at(2_000)).toEqual([]);
});
