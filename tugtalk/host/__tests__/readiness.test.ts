/** A host's answers to balancers and Prometheus, over real sockets. */
import { afterAll, expect, test } from "bun:test";
import { claudeThat } from "../../testing/drivers/claudes.ts";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";
import {
  metricsOf,
  readyStatus,
  untilMetric,
  untilReadyIs,
} from "../../testing/drivers/metrics.ts";
import { requestText, sendRaw } from "../server/__tests__/support/raw-http.ts";

const host = await startHost();
afterAll(endHosts);

test("a host that serves is ready, for who has no token and names no host", async () => {
  expect(await readyStatus(host)).toBe(200);
  for (const lines of [
    ["GET /api/ready HTTP/1.0"],
    ["GET /api/ready HTTP/1.1", "Host: 10.0.0.7:80", "Connection: close"],
    ["HEAD /api/ready HTTP/1.1", "Host: x", "Origin: https://evil.example", "Connection: close"],
  ]) {
    const { status, body, headers } = await sendRaw(host.port, requestText(lines));
    expect({ lines, status, body }).toEqual({ lines, status: 200, body: "" });
    expect(headers.get("cache-control")).toBe("no-store");
  }
});

test("a host that ends is not ready from the beginning of its end", async () => {
  const ending = await startHost({ claude: claudeThat("ignores-everything") });
  await ending.createSession({ options: { shutdown_grace_ms: 1_000 } });
  expect(await readyStatus(ending)).toBe(200);
  const ended = ending.stop();
  await untilReadyIs(ending, 503);
  expect((await metricsOf(ending)).get("tugtalk_ready")).toBe(0);
  expect(await ended).toBe(0);
}, 20_000);

test("the metrics need the token, and tell sessions, streams and commits", async () => {
  const { status } = await fetch(`${host.url}/metrics`);
  expect(status).toBe(401);
  const before = await metricsOf(host);
  const session = await host.createSession();
  const [events, socket] = await Promise.all([session.events(), host.socket()]);
  await session.finishTurn();
  const after = await metricsOf(host);
  expect(after.get('tugtalk_streams{kind="events"}')).toBeGreaterThanOrEqual(1);
  expect(after.get('tugtalk_streams{kind="websocket"}')).toBe(1);
  expect(after.get('tugtalk_sessions{state="idle"}')).toBe(1);
  for (const name of ["tugtalk_commit_seconds_count", "tugtalk_entries_total"])
    expect(after.get(name)).toBeGreaterThan(before.get(name) ?? Number.POSITIVE_INFINITY);
  events.close();
  socket.close();
  await untilMetric(host, 'tugtalk_streams{kind="websocket"}', (value) => value === 0);
  await untilMetric(host, 'tugtalk_streams{kind="events"}', (value) => value === 0);
});
