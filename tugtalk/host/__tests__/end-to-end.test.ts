/**
 * The host from start to end. The ring `built` runs the same tests on the product of `npm run build`, where
 * the host has to find itself again as its bridge.
 */
import { afterAll, expect, test } from "bun:test";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";
import { descendantsOf, leftAfter } from "../../testing/drivers/processes.ts";

const host = await startHost();
afterAll(endHosts);

test("a started host is healthy, runs a session with Claude and one with the simulator, and stops with all of them", async () => {
  expect((await host.run("health")).body).toMatchObject({ status: "ok", sessions: 0 });
  for (const [place, text] of [
    ["local", "You said: hello"],
    ["simulator", "Welcome to tugtalk"],
  ] as const) {
    const session = await host.createSession({ place });
    const events = await session.events();
    expect((await session.message("hello")).status).toBe(200);
    const { data } = await events.next("turn_complete");
    expect(data["text"]).toContain(text);
    events.close();
  }
  const children = descendantsOf(host.pid);
  expect(children.length).toBeGreaterThanOrEqual(4);
  expect(await host.stop("SIGINT")).toBe(0);
  expect(await leftAfter(children, 5_000)).toEqual([]);
});
