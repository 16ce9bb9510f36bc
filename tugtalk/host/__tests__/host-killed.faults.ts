/**
 * A host that is killed and started again while a session is in each state. The bridges are real,
 * with the stand-in behind them. Two clients follow each session, one by WebSocket and one by
 * server-sent events.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";
import { descendantsOf, leftAfter } from "../../testing/drivers/processes.ts";
import {
  expectGoesOn,
  expectNothingOpen,
  expectSameForAll,
  finalStatuses,
  resumeAll,
} from "./support/ended-session.ts";
import {
  connectAll,
  type ReachedSession,
  reachState,
  SESSION_STATES,
  say,
} from "./support/session-states.ts";

/** How long bridges and Claudes may take to end by themselves. */
const END_MS = 10_000;

const sessions = new Map<string, ReachedSession>();
let left: readonly number[] = [];

function sessionOf(state: string): ReachedSession {
  const session = sessions.get(state);
  if (session === undefined) throw new Error(`no session was brought to ${state}`);
  return session;
}

beforeAll(async () => {
  const host = await startHost();
  for (const state of SESSION_STATES)
    sessions.set(state.name, await reachState(state, (session) => host.createSession(session)));
  const started = descendantsOf(host.pid);
  // A Claude for each session, and their bridge.
  expect(started.length).toBeGreaterThan(SESSION_STATES.length);
  await host.kill();
  const followers = [...sessions.values()].flatMap((session) => session.followers);
  await Promise.all(followers.map((follower) => follower.hasLost()));
  // Killed once more as soon as it serves: entries that it has appended by then must not come again.
  await host.start();
  await host.restart();
  for (const session of sessions.values()) await resumeAll(session);
  left = await leftAfter(started, END_MS);
}, 120_000);

afterAll(async () => {
  await endHosts();
  for (const { control } of sessions.values()) control.close();
});

test("the bridges and Claudes of a killed host end by themselves", () => {
  expect(left).toEqual([]);
});

const STATES = SESSION_STATES.map(({ name, prompts = 0 }) => [name, prompts] as const);

test.each(STATES)(
  "killed while a session is %s: nothing is open, and the queue is intact",
  async (name, prompts) => {
    const session = sessionOf(name);
    const [{ entries, state }] = session.followers;
    await expectNothingOpen(session);
    const cancelled = entries.filter(({ t }) => t === "control_request_cancel");
    expect(cancelled.map(({ d }) => d["reason"])).toEqual(Array(prompts).fill("exited"));
    for (const { id } of session.inFlight) expect(finalStatuses(entries, id)).toEqual(["failed"]);
    expect(state.status).toBe("exited");
    await expectSameForAll(session);
  },
);

test.each(STATES)(
  "killed while a session is %s: the next message resumes it, and nothing is said twice",
  async (name) => {
    const session = sessionOf(name);
    await expectGoesOn(session);
    await expectSameForAll(session);
  },
);

test("after a kill no second Claude is started while the first one still runs, however long that takes to end", async () => {
  const host = await startHost();
  const state = SESSION_STATES.find(({ name }) => name === "running a tool");
  if (state === undefined) throw new Error("there is no such state");
  const reached = await reachState(state, (session) => host.createSession(session));
  const claude = await reached.control.first;
  const started = descendantsOf(host.pid);
  // A stopped bridge does not notice the end of its host.
  process.kill(claude.parent, "SIGSTOP");
  await host.restart();
  await Promise.all(reached.followers.map((follower) => follower.hasLost()));
  await connectAll(reached);
  reached.session.play([]);
  const sending = say(reached, "again");
  // Meanwhile two other sessions start their Claudes, one after the other.
  await host.createSession();
  await host.createSession();
  expect(await leftAfter(started, 0)).toContain(claude.pid);
  expect(reached.session.claudes).toHaveLength(1);
  process.kill(claude.parent, "SIGCONT");
  await reached.followers[0].next("process_started");
  expect(await leftAfter(started, 0)).toEqual([]);
  await sending;
  await reached.followers[0].next("turn_complete");
  reached.control.close();
}, 60_000);
