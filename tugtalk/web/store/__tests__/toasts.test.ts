/** How long a notice of the page is shown. */
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { Toasts } from "../toasts.ts";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const UNDO = { label: "Undo", run: () => {} };

test("a notice that passes with its action stays while a person is at it, and leaves some time after", () => {
  const toasts = new Toasts();
  toasts.show({ severity: "info", text: "Plan", isPassing: true, action: UNDO });
  const key = toasts.shown.value[0]?.key ?? 0;
  toasts.hold(key, true);
  jest.advanceTimersByTime(60_000);
  expect(toasts.shown.value).toHaveLength(1);
  toasts.hold(key, false);
  jest.advanceTimersByTime(6_000);
  expect(toasts.shown.value).toEqual([]);
});

test("a notice of something that may have to be done stays until it is dismissed", () => {
  const toasts = new Toasts();
  toasts.show({ severity: "info", text: "Archived", action: UNDO });
  jest.advanceTimersByTime(60_000);
  expect(toasts.shown.value).toHaveLength(1);
});
