/** A host that is asked to end while a session is in each state. */
import { afterAll, expect, test } from "bun:test";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";
import { descendantsOf, leftAfter } from "../../testing/drivers/processes.ts";
import {
  expectGoesOn,
  expectNothingOpen,
  expectSameForAll,
  resumeAll,
} from "./support/ended-session.ts";
import { type ReachedSession, reachState, SESSION_STATES } from "./support/session-states.ts";

const LIMIT_MS = 10_000;

afterAll(endHosts);

/** Brings sessions to all states, ends the host, and starts it again. */
async function stopAll(
  signal: NodeJS.Signals,
  args: readonly string[] = [],
): Promise<readonly ReachedSession[]> {
  const host = await startHost({ args });
  const sessions: ReachedSession[] = [];
  for (const state of SESSION_STATES)
    sessions.push(await reachState(state, (session) => host.createSession(session)));
  const started = descendantsOf(host.pid);
  const asked = performance.now();
  expect(await host.stop(signal)).toBe(0);
  expect(performance.now() - asked).toBeLessThan(LIMIT_MS);
  expect(await leftAfter(started, 0)).toEqual([]);
  await Promise.all(sessions.flatMap(({ followers }) => followers.map((one) => one.hasLost())));
  await host.start();
  for (const session of sessions) await resumeAll(session);
  for (const { control } of sessions) control.close();
  return sessions;
}

test("SIGTERM ends the host and all that it has started within ten seconds, and the sessions go on after the next start", async () => {
  const sessions = await stopAll("SIGTERM");
  for (const session of sessions) {
    await expectNothingOpen(session);
    await expectGoesOn(session);
    await expectSameForAll(session);
  }
}, 120_000);

test("Ctrl-C ends the host and all that it has started within ten seconds, and leaves nothing open", async () => {
  for (const session of await stopAll("SIGINT")) {
    await expectNothingOpen(session);
    await expectSameForAll(session);
  }
}, 120_000);

test("a host with --isolate ends all that it has started within ten seconds too", async () => {
  for (const session of await stopAll("SIGTERM", ["--isolate"])) await expectNothingOpen(session);
}, 120_000);
