/** The state of a feature: as the CLI reports it, or else as its version was measured. */
import { expect, test } from "bun:test";
import { type Facts, judgeFeatures } from "../features.ts";

const NOTHING: Facts = { requests: new Map() };

function judged(name: string, facts: Partial<Facts>) {
  const found = judgeFeatures({ ...NOTHING, ...facts }).find((feature) => feature.name === name);
  return [found?.works, found?.known_by];
}

const BY_VERSION: readonly [string | undefined, string, string][] = [
  ["2.1.38", "no", "measurement"],
  ["2.1.197", "yes", "measurement"],
  ["2.1.330", "yes", "measurement"],
  ["2.1.331", "yes", "inference"], // As the newest measured version.
  ["9.0.0", "yes", "inference"],
  ["2.1.250", "yes", "inference"], // The same in the measured versions before and after.
  ["2.1.100", "unknown", "nothing"], // It differs between the measured versions.
  ["2.1.9", "unknown", "nothing"], // Older than the measured versions.
  [undefined, "unknown", "nothing"],
];

test.each(BY_VERSION)(
  "a feature that the CLI does not report is judged by the version %s",
  (version, works, knownBy) => {
    const expected: unknown[] = [works, knownBy];
    expect<unknown[]>(judged("api_retry_news", { version })).toEqual(expected);
  },
);

test("the report of the CLI takes precedence over its version", () => {
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
    for (const { note, works } of judgeFeatures({ ...NOTHING, version })) {
      expect(note).toMatch(/^[A-Z`/].*\.$/);
      expect(note.startsWith("This version was not measured")).toBe(works === "unknown");
    }
  }
});
