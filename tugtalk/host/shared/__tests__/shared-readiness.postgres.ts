/** The answers of hosts that share a database to balancers and Prometheus. */
import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import {
  metricsOf,
  readyStatus,
  untilMetric,
  untilReadyIs,
} from "../../../testing/drivers/metrics.ts";
import { ASKING } from "../../../testing/drivers/written-conversation.ts";
import { SharedHosts } from "./support/shared-hosts.ts";

const hosts = await SharedHosts.open();
afterAll(() => hosts.end());

test("a takeover, the lease and bells are counted, and sessions of every host", async () => {
  const [dying, one] = await Promise.all([hosts.start(), hosts.start()]);
  const session = await dying.createSession({ conversation: ASKING });
  const events = await session.events();
  await session.message("go");
  await events.next("control_request_forward");
  await untilMetric(one, 'tugtalk_sessions{state="requires_action"}', (value) => value === 1);
  expect((await metricsOf(dying)).get("tugtalk_held_sessions")).toBe(1);
  const before = await metricsOf(one);
  expect(before.get("tugtalk_held_sessions")).toBe(0);
  expect(before.get("tugtalk_takeovers_total")).toBe(0);
  expect(before.get('tugtalk_bells_total{direction="heard"}')).toBeGreaterThan(0);
  expect(before.get("tugtalk_lease_seconds")).toBeGreaterThan(0);
  expect(before.get("tugtalk_lease_seconds")).toBeLessThanOrEqual(2);
  await dying.kill();
  await untilMetric(one, "tugtalk_takeovers_total", (value) => value === 1);
  await untilMetric(one, "tugtalk_commit_seconds_count", (value) => Number(value) > 0);
  const after = await metricsOf(one);
  expect(after.get("tugtalk_held_sessions")).toBe(1);
  expect(after.get("tugtalk_leases_lost_total")).toBe(0);
});

test("a host whose database does not answer is not ready, and ready again when it does", async () => {
  const host = await hosts.start({ args: ["--lease=9"] });
  const sql = new SQL(hosts.url, { max: 1 });
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = sql.begin(async (transaction) => {
    await transaction.unsafe("LOCK TABLE tugtalk.hosts IN ACCESS EXCLUSIVE MODE");
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  await untilReadyIs(host, 503);
  const metrics = await metricsOf(host);
  expect(metrics.get("tugtalk_database_up")).toBe(0);
  expect(metrics.get("tugtalk_lease_seconds")).toBeGreaterThan(0);
  released.resolve();
  await holding;
  await untilReadyIs(host, 200);
  expect((await metricsOf(host)).get("tugtalk_leases_lost_total")).toBe(0);
  await sql.close();
});

test("a host whose database has ended is not ready, and its lease is lost; health still answers", async () => {
  const host = await hosts.start();
  expect(await readyStatus(host)).toBe(200);
  await hosts.server.stop();
  await untilReadyIs(host, 503);
  await untilMetric(host, "tugtalk_leases_lost_total", (value) => value === 1);
  await untilMetric(host, "tugtalk_database_up", (value) => value === 0);
  const metrics = await metricsOf(host);
  expect(metrics.get("tugtalk_lease_seconds")).toBe(0);
  expect(metrics.get("tugtalk_ready")).toBe(0);
  expect(await readyStatus(host)).toBe(503);
  // No host knows whether the session exists.
  const unknown = await host.run("session", { id: crypto.randomUUID() });
  expect(unknown).toMatchObject({ status: 503, body: { code: "database_away" } });
  expect(await host.run("health")).toMatchObject({ status: 200, body: { status: "ok" } });
});
