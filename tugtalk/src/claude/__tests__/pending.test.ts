/** Each request to Claude settles once: answered, timed out or failed with its process. */
import { expect, test } from "bun:test";
import { fakeClock } from "../../../testing/drivers/fake-claude.ts";
import { PendingRequests, type Settlement } from "../pending.ts";

type Step = readonly ["answer", string] | readonly ["advance", number] | readonly ["fail", string];

const answered = (answer: string) => ({ kind: "answered", answer }) as const;
const failed = (error: string) => ({ kind: "failed", error }) as const;
const TIMED_OUT = { kind: "timed_out" } as const;

/** The steps of one request with a timeout of 100 ms, and its settlements. */
const ROWS: readonly (readonly [steps: readonly Step[], ends: readonly Settlement<string>[]])[] = [
  [[], []],
  [[["answer", "a"]], [answered("a")]],
  [
    [
      ["answer", "a"],
      ["answer", "b"],
    ],
    [answered("a")],
  ],
  [[["advance", 99]], []],
  [[["advance", 100]], [TIMED_OUT]],
  [
    [
      ["advance", 100],
      ["answer", "late"],
    ],
    [TIMED_OUT],
  ],
  [
    [
      ["answer", "a"],
      ["advance", 1000],
    ],
    [answered("a")],
  ],
  [[["fail", "gone"]], [failed("gone")]],
  [
    [
      ["fail", "gone"],
      ["fail", "again"],
      ["answer", "a"],
      ["advance", 1000],
    ],
    [failed("gone")],
  ],
];

test.each([...ROWS])("a request settles after %j as %j", (steps, ends) => {
  const clock = fakeClock();
  const pending = new PendingRequests<string>(clock);
  const seen: Settlement<string>[] = [];
  pending.open("r", 100, (end) => void seen.push(end));
  for (const [what, value] of steps) {
    if (what === "answer") pending.answer("r", value);
    else if (what === "fail") pending.failAll(value);
    else clock.advance(value);
  }
  expect(seen).toEqual([...ends]);
  expect(pending.size).toBe(ends.length === 0 ? 1 : 0);
});

test("answer returns whether the request was pending", () => {
  const pending = new PendingRequests<string>(fakeClock());
  pending.open("r", 100, () => {});
  expect([
    pending.answer("other", "x"),
    pending.answer("r", "x"),
    pending.answer("r", "x"),
  ]).toEqual([false, true, false]);
});

test("a settled request leaves no timer", () => {
  const timers = new Set<unknown>();
  const pending = new PendingRequests<string>({
    now: () => 0,
    setTimer: (run) => {
      timers.add(run);
      return run;
    },
    clearTimer: (timer) => void timers.delete(timer),
  });
  for (const id of ["a", "b"]) pending.open(id, 100, () => {});
  expect(timers.size).toBe(2);
  pending.answer("a", "x");
  expect(timers.size).toBe(1);
  pending.failAll("gone");
  expect(timers.size).toBe(0);
});

test("answers settle their own requests in any order", () => {
  const pending = new PendingRequests<string>(fakeClock());
  const seen: unknown[] = [];
  for (const id of ["a", "b", "c"]) pending.open(id, 100, (end) => void seen.push([id, end]));
  pending.answer("b", "1");
  pending.failAll("gone");
  expect(seen).toEqual([
    ["b", answered("1")],
    ["a", failed("gone")],
    ["c", failed("gone")],
  ]);
});

test("a request that is opened while another one fails stays pending", () => {
  const pending = new PendingRequests<string>(fakeClock());
  const seen: unknown[] = [];
  pending.open("a", 100, () => pending.open("b", 100, (end) => void seen.push(end)));
  pending.failAll("gone");
  expect(seen).toEqual([]);
  expect(pending.size).toBe(1);
});
