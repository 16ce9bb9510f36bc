/**
 * The laws of the reducer over random lives of bridges, whose messages a host puts into its journal. Two
 * bridges follow each other in one session.
 */
import { test } from "bun:test";
import * as fc from "fast-check";
import { end, open, runSetup, walk } from "../../../testing/random/harness-run.ts";
import { checkProperty } from "../../../testing/random/property-check.ts";
import { anyStep } from "../../../testing/random/random-steps.ts";
import type { HostFrame, OtherMessage } from "../../session-input.ts";
import { brokenLaws } from "./broken-laws.ts";

const RUNS = 30;
const LIMIT_MS = 25_000;

const life = fc.record({
  setup: runSetup,
  steps: fc.array(anyStep, { maxLength: 40, size: "max" }),
});

const lives = fc.record({
  one: life,
  other: life,
  /** Where a journal is cut, in parts of it. */
  parts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 }),
});
type Lives = typeof lives extends fc.Arbitrary<infer Value> ? Value : never;

/** The messages of one bridge from its start to its end. */
async function messagesOf({ setup, steps }: Lives["one"]): Promise<readonly OtherMessage[]> {
  const harness = await open(setup);
  await walk(harness, steps);
  await end(harness);
  return harness.host.received.map((message) => ({ ...message, type: String(message["type"]) }));
}

/** The same with ids of another bridge. */
function ofOtherBridge(messages: readonly OtherMessage[]): readonly OtherMessage[] {
  return JSON.parse(JSON.stringify(messages).replaceAll("00000000-0000-4", "11111111-0000-4"));
}

/** The same messages, with the field that a host adds to a message about a prompt. */
function noted(messages: readonly OtherMessage[]): readonly OtherMessage[] {
  return messages.map((message) =>
    message["request_id"] === undefined ? message : { ...message, at: 1 },
  );
}

function framed(messages: readonly OtherMessage[]): readonly HostFrame[] {
  return messages.map(({ type, ...data }, index) => ({
    s: "s",
    e: "e",
    q: index + 1,
    t: type,
    d: data,
  }));
}

async function faultsOf({ one, other, parts }: Lives): Promise<readonly string[]> {
  const bridges = [await messagesOf(one), ofOtherBridge(await messagesOf(other))].flat();
  const cuts = parts.map((part) => Math.floor(part * bridges.length));
  return [...brokenLaws(bridges, cuts), ...brokenLaws(framed(noted(bridges)), cuts)];
}

test(
  "the laws of the reducer hold for random sessions, as a bridge and as a host tell them",
  () =>
    checkProperty({
      name: "the laws of the reducer",
      values: lives,
      runs: RUNS,
      limitMs: LIMIT_MS,
      faultsOf,
    }),
  2 * LIMIT_MS,
);
