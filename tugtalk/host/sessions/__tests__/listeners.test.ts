import { expect, spyOn, test } from "bun:test";
import { Listeners } from "../listeners.ts";

test("each listener gets everything until it ends, also one that was added twice", () => {
  const listeners = new Listeners<string>();
  const heard: string[] = [];
  const hear = (notice: string) => void heard.push(notice);
  const end = listeners.add(hear);
  listeners.add(hear);
  listeners.tell("first");
  end();
  listeners.tell("second");
  expect(heard).toEqual(["first", "first", "second"]);
  expect(listeners.size).toBe(1);
});

test("a listener that fails is reported, and does not keep the notice from the others", () => {
  const report = spyOn(console, "error").mockImplementation(() => {});
  const listeners = new Listeners<string>();
  const heard: string[] = [];
  listeners.add(() => {
    throw new Error("broken");
  });
  listeners.add((notice) => heard.push(notice));
  listeners.tell("notice");
  expect(heard).toEqual(["notice"]);
  expect(report).toHaveBeenCalledTimes(1);
  report.mockRestore();
});

test("a listener that another one has ended gets nothing more", () => {
  const listeners = new Listeners<string>();
  const heard: string[] = [];
  let end = () => {};
  listeners.add(() => end());
  end = listeners.add((notice) => heard.push(notice));
  listeners.tell("notice");
  expect(heard).toEqual([]);
});
