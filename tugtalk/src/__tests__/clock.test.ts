import { expect, test } from "bun:test";
import { patientClock } from "../clock.ts";
import { fakeClock } from "./support/fake-claude.ts";

test("a limit that passes while the host does not read waits until it does", () => {
  const inner = fakeClock();
  let isBlocked = true;
  let fired = 0;
  patientClock(inner, () => isBlocked).setTimer(() => {
    fired += 1;
  }, 5_000);
  inner.advance(60_000);
  expect(fired).toBe(0);
  isBlocked = false;
  inner.advance(1_000);
  expect(fired).toBe(1);
});

test("a limit that is taken back does not fire, also after it has waited", () => {
  const inner = fakeClock();
  let isBlocked = true;
  let fired = 0;
  const clock = patientClock(inner, () => isBlocked);
  const timer = clock.setTimer(() => {
    fired += 1;
  }, 5_000);
  inner.advance(6_000);
  clock.clearTimer(timer);
  isBlocked = false;
  inner.advance(60_000);
  expect(fired).toBe(0);
});
