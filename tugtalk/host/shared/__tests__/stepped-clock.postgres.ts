/**
 * The database's clock is set forward by an hour. For the hosts this equals rows with times an hour earlier,
 * which a test can write.
 */
import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { metricsOf } from "../../../testing/drivers/metrics.ts";
import { ASKING } from "../../../testing/drivers/written-conversation.ts";
import { goneMs, renewalMs } from "../../journal/postgres/lease-times.ts";
import { PostgresReader } from "../../journal/postgres/postgres-reader.ts";
import { GoneHosts } from "../gone-hosts.ts";
import { at, SharedHosts } from "./support/shared-hosts.ts";

const hosts = await SharedHosts.open();
/** Longer than a busy machine may stop a host. */
const startOne = () => hosts.start({ args: ["--lease=6"] });
const [one, other] = await Promise.all([startOne(), startOne()]);
const url = new URL(hosts.url);
const sql = new SQL(url, { max: 1, connection: { search_path: "tugtalk" } });
afterAll(async () => {
  await sql.close();
  await hosts.end();
});

async function stepForward(): Promise<void> {
  await sql`UPDATE hosts SET lease_until = lease_until - interval '1 hour', gone_at = gone_at - interval '1 hour'`;
  await sql`UPDATE calls SET asked_at = asked_at - interval '1 hour'`;
  await sql`UPDATE sessions SET changed_at = changed_at - interval '1 hour'`;
}

test("hosts that live keep their sessions through a step of the clock, also before one that begins right after it, and have one Claude", async () => {
  const session = await one.createSession({ conversation: ASKING });
  const events = await session.events();
  await session.message("go");
  await events.next("control_request_forward");
  await stepForward();
  const late = await startOne();
  const areRenewed = async () =>
    (await sql`SELECT id FROM hosts WHERE gone_at > clock_timestamp()`).length === 3;
  while (!(await areRenewed())) await Bun.sleep(20);
  const answer = { request_id: "prompt1", decision: "allow" };
  expect(await at(late, session).run("approve", answer)).toMatchObject({ status: 200 });
  await session.claudeHears(({ type }) => type === "control_response");
  expect(session.claudes).toHaveLength(1);
  for (const host of [one, other, late]) {
    const metrics = await metricsOf(host);
    expect(metrics.get("tugtalk_leases_lost_total")).toBe(0);
    expect(metrics.get("tugtalk_takeovers_total")).toBe(0);
  }
  events.close();
});

const LEASE = { leaseMs: 30_000, bridgeEndMs: 60_000 };
const [GONE_MS, RENEWAL_MS] = [goneMs(LEASE), renewalMs(LEASE.leaseMs)];

/** Watches a host whose lease is over by the clock of the database. */
async function openWatch() {
  await sql`DELETE FROM hosts WHERE id = 'watched'`;
  let now = 0;
  const gone = new GoneHosts(new PostgresReader({ sql }), LEASE, () => now);
  return {
    begin: () => sql`INSERT INTO hosts (id, machine, pid, version, places, lease_until, gone_at)
      VALUES ('watched', 'there', 1, '0', '[]', now(), now() - interval '1 hour')`,
    renew: () => sql`UPDATE hosts SET gone_at = gone_at + interval '1 second' WHERE id = 'watched'`,
    isKnownAt: async (time: number) => {
      now = time;
      await gone.forget();
      return (await sql`SELECT id FROM hosts WHERE id = 'watched'`).length === 1;
    },
  };
}

test("a host that renews its row is not gone, whatever the clock says", async () => {
  const { begin, renew, isKnownAt } = await openWatch();
  await begin();
  for (let time = 0; time < 2 * GONE_MS; time += RENEWAL_MS) {
    expect(await isKnownAt(time)).toBe(true);
    await renew();
  }
});

test("a host that is silent is gone as long after its last renewal as it may live", async () => {
  const { begin, isKnownAt } = await openWatch();
  expect(await isKnownAt(0)).toBe(false);
  await begin();
  for (let time = RENEWAL_MS; time < GONE_MS; time += RENEWAL_MS)
    expect(await isKnownAt(time)).toBe(true);
  expect(await isKnownAt(GONE_MS)).toBe(false);
});

test("a host that was gone before another one began is forgotten by that one after the time of a renewal", async () => {
  const { begin, isKnownAt } = await openWatch();
  await begin();
  expect(await isKnownAt(0)).toBe(true);
  expect(await isKnownAt(RENEWAL_MS)).toBe(false);
});
