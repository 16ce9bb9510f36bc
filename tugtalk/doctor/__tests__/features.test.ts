/** What is said of a feature: by what the CLI told first, by its version second. */
import { expect, test } from "bun:test";
import { type Facts, FEATURE_NAMES, judgeFeatures } from "../features.ts";

const NOTHING: Facts = { requests: new Map() };

function judged(name: string, facts: Partial<Facts>) {
  const found = judgeFeatures({ ...NOTHING, ...facts }).find((feature) => feature.name === name);
  return [found?.works, found?.known_by];
}

const BY_VERSION: readonly [string | undefined, string, string][] = [
  ["2.1.38", "no", "measurement"],
  ["2.1.197", "yes", "measurement"],
  ["2.1.330", "yes", "measurement"],
  ["2.2.0", "yes", "measurement"], // As the newest that was measured.
  ["2.1.250", "yes", "measurement"], // The same before and after.
  ["2.1.100", "unknown", "nothing"], // It changed somewhere between.
  ["2.1.9", "unknown", "nothing"], // Older than what was measured.
  [undefined, "unknown", "nothing"],
];

test.each(BY_VERSION)("a feature goes by the version: %s", (version, works, knownBy) => {
  const expected: unknown[] = [works, knownBy];
  expect<unknown[]>(judged("api_retry_news", { version })).toEqual(expected);
});

test("what the CLI tells counts for more than its version", () => {
  const flags = new Set(["--output-format", "--include-hook-events"]);
  const none = new Set(["--output-format"]);
  expect(judged("hook_events", { version: "2.1.38", flags })).toEqual(["yes", "claude"]);
  expect(judged("hook_events", { version: "2.1.330", flags: none })).toEqual(["no", "claude"]);
  expect(judged("clear", { version: "2.1.100", commands: ["clear"] })).toEqual(["yes", "claude"]);
  const requests = new Map([["stop_task", false]]);
  expect(judged("stop_task", { version: "2.1.330", requests })).toEqual(["no", "claude"]);
});

test("every feature has a sentence in every state that it can have", () => {
  for (const version of ["2.1.38", "2.1.100", "2.1.197", "2.1.330", undefined]) {
    const features = judgeFeatures({ ...NOTHING, version });
    expect(features.map(({ name }) => name)).toEqual([...FEATURE_NAMES]);
    for (const { note, works } of features) {
      expect(note).toMatch(/^[A-Z`/].*\.$/);
      expect(note.startsWith("This version was not measured")).toBe(works === "unknown");
    }
  }
});
