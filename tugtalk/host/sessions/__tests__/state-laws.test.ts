/**
 * The laws of a session's state over random lives of bridges: for any messages, any batches, and any kill of
 * host or bridge.
 */
import { test } from "bun:test";
import * as fc from "fast-check";
import { latestEntries } from "../../../client/entry-pages.ts";
import type { ReducedSession } from "../../../client/reduced-session.ts";
import { end, open, runSetup, walk } from "../../../testing/random/harness-run.ts";
import { checkProperty } from "../../../testing/random/property-check.ts";
import { anyStep } from "../../../testing/random/random-steps.ts";
import type { HostSession } from "../../api/host-session.ts";
import type { Draft } from "./support/fake-bridge.ts";
import { applied, reducedOf, SessionHarness, settled } from "./support/session-harness.ts";

const RUNS = 20;
const LIMIT_MS = 25_000;

const life = fc.record({
  setup: runSetup,
  steps: fc.array(anyStep, { maxLength: 40, size: "max" }),
  /** The number of messages in each tick. */
  batch: fc.integer({ min: 1, max: 20 }),
  /** The number of ticks after which the bridge, or the host, is killed. */
  killed: fc.record({ after: fc.integer({ min: 0, max: 20 }), isHost: fc.boolean() }),
});
type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never;

async function messagesOf({ setup, steps }: Life): Promise<readonly Draft[]> {
  const harness = await open(setup);
  await walk(harness, steps);
  await end(harness);
  return harness.host.received.map(({ ipc_version: _, seq: __, in_reply_to: ___, ...message }) => ({
    ...message,
    type: String(message["type"]),
  }));
}

/** Whether a client that knows a part of the journal comes to this state. */
async function isShown(session: HostSession, reduced: ReducedSession): Promise<boolean> {
  return Bun.deepEquals(latestEntries(reduced, 50), (await session.snapshot()).state);
}

async function faultsOf(one: Life): Promise<readonly string[]> {
  const messages = await messagesOf(one);
  const harness = await SessionHarness.open();
  const { id } = await harness.create();
  await settled();
  const first = await harness.sessions.get(id).snapshot();
  const { batch, killed } = one;
  const faults: string[] = [];
  const check = async (when: string) => {
    const session = harness.sessions.get(id);
    if (!(await isShown(session, await reducedOf(session))))
      faults.push(`${when}: the journal gives another state than the host's`);
    const read = await session.entriesAfter(first.cursor, Number.POSITIVE_INFINITY);
    if (!(await isShown(session, applied(first.state, read === "gap" ? [] : read))))
      faults.push(`${when}: the first snapshot and the rest give another state than the host's`);
    const spent = (await harness.journal.costs(0)).reduce((sum, { usd }) => sum + usd, 0);
    if (Math.abs(spent - session.info().cost_usd) > 1e-9)
      faults.push(`${when}: the costs by day are ${spent}, and those of the session are others`);
  };
  for (let tick = 0; tick * batch < messages.length && tick < killed.after; tick += 1) {
    await harness.say(...messages.slice(tick * batch, (tick + 1) * batch));
    await check(`after tick ${tick}`);
  }
  if (killed.isHost) await harness.restart();
  else harness.bridge.end();
  await settled();
  await check("at the end");
  return [...faults, ...(await openAfter(harness.sessions.get(id)))];
}

async function openAfter(session: HostSession): Promise<readonly string[]> {
  const { state } = await session.snapshot();
  const laws: Readonly<Record<string, boolean>> = {
    "no prompt is open": state.prompts.length === 0 && (await session.prompts()).length === 0,
    "the session has ended": state.status === "exited" || state.status === "failed",
    "no item is open": !/"status":"(?:running|streaming|waiting)"/.test(
      JSON.stringify([state.entries, state.openEntries, state.backgroundTasks]),
    ),
  };
  return Object.entries(laws).flatMap(([law, holds]) => (holds ? [] : [`broken: ${law}`]));
}

test(
  "a session has the state of its journal at any time, and nothing is open after its end",
  () =>
    checkProperty({
      name: "the state of a session",
      values: life,
      runs: RUNS,
      limitMs: LIMIT_MS,
      faultsOf,
    }),
  2 * LIMIT_MS,
);
