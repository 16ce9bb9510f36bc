/** What becomes of the clients of a session that is deleted. */
import { expect, test } from "bun:test";
import { SessionHarness, settled } from "../../sessions/__tests__/support/session-harness.ts";
import { subscribe } from "../subscription.ts";
import { eventually } from "./support/eventually.ts";
import { FakeOutlet } from "./support/fake-outlet.ts";
import { turnsUntil } from "./support/turns-of-the-loop.ts";

test("a client that is up to date is told at last that the session is deleted", async () => {
  const harness = new SessionHarness();
  const session = await harness.create();
  const outlet = new FakeOutlet();
  let isOver = false;
  subscribe(session, "start", outlet, () => {
    isOver = true;
  });
  await turnsUntil(() => outlet.seqs.length === session.cursor().seq);
  await settled();
  await harness.sessions.delete(session.id);
  expect(outlet.frames.at(-1)).toMatchObject({ session: session.id, type: "session-deleted" });
  expect(outlet.types.slice(-2, -1)).toEqual(["session_state"]);
  expect(isOver).toBe(true);
  expect(outlet.isCutOff).toBe(false);
});

test("a client that lags behind is cut off, and one that leaves later leaves nothing behind", async () => {
  const harness = new SessionHarness();
  const session = await harness.create();
  const lagging = new FakeOutlet(10);
  const leaving = new FakeOutlet(10);
  subscribe(session, "start", lagging);
  const leave = subscribe(session, "start", leaving);
  await harness.sessions.delete(session.id);
  lagging.read(1_000_000);
  await eventually(() => lagging.isCutOff);
  expect(leave).not.toThrow();
  expect(lagging.types).toEqual(["resume"]);
});
