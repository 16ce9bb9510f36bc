/** Streams of a real host that stay quiet for longer than Bun's idle limit. */
import { afterAll, expect, test } from "bun:test";
import { endHosts, startHost } from "../../../testing/drivers/host-process.ts";
import { PING_MS } from "../sse.ts";

/** Bun ends an idle HTTP connection after ten seconds by default. */
const QUIET_MS = 12_000;

afterAll(endHosts);

test("a stream stays open while nothing is sent, and then goes on", async () => {
  expect(QUIET_MS).toBeLessThan(PING_MS);
  const host = await startHost();
  const session = await host.createSession();
  const [events, board, socket] = [
    await session.events(),
    await host.events("/api/events"),
    await host.socket(),
  ];
  await socket.run("subscribe", { s: session.id });
  await board.next("sessions");
  await Bun.sleep(QUIET_MS);
  expect([events.comments, board.comments]).toEqual([0, 0]);
  await session.message("Are you there?");
  await events.next("turn_complete");
  await board.next("message-sent");
  await socket.next("turn_complete");
});
