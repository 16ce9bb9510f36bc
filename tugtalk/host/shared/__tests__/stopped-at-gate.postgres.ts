/** A host that is stopped while a line to a bridge waits for its lease. */
import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import type { SentEvent } from "../../../testing/drivers/host-clients.ts";
import type { TestHostSession } from "../../../testing/drivers/host-process.ts";
import { isRunning, signalIfRunning } from "../../../testing/drivers/processes.ts";
import { renewalMs } from "../../journal/postgres/lease-times.ts";
import { at, SharedHosts } from "./support/shared-hosts.ts";

const hosts = await SharedHosts.open();
const LEASE_MS = 9_000;
/** Counts from the last renewal. */
const GATE_MS = renewalMs(LEASE_MS);
const sql = new SQL(hosts.url, { max: 3 });
const [holder, other] = await Promise.all([
  hosts.start({ args: [`--lease=${LEASE_MS / 1_000}`] }),
  hosts.start(),
]);
afterAll(async () => {
  signalIfRunning(holder.pid, "SIGCONT");
  await sql.close();
  await hosts.end();
});

/** Resolves once the database gives a row. */
async function until(isSo: () => Promise<readonly unknown[]>): Promise<void> {
  while ((await isSo()).length === 0) await Bun.sleep(5);
}

/** Keeps the host from renewing its lease during `work`, and fails the requests that it sends meanwhile. */
async function withoutRenewals(pid: number, work: () => Promise<void>): Promise<void> {
  await sql.begin(async (locking) => {
    await locking`SELECT FROM tugtalk.hosts WHERE pid = ${pid} FOR UPDATE`;
    await work();
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND starts_with(query, 'UPDATE hosts')`;
  });
}

/**
 * Waits until the host writes no line to its bridges any more; it takes the database for reachable for a
 * further second or more.
 */
function gateIsShut(pid: number): Promise<void> {
  return until(
    () => sql`SELECT FROM tugtalk.hosts WHERE pid = ${pid}
      AND clock_timestamp() > lease_until - ${LEASE_MS - GATE_MS} * interval '1 millisecond'`,
  );
}

const WAITING = "Waiting";

/** The texts of the messages that the session's Claudes have read. */
function heard({ claudeInput }: TestHostSession): readonly unknown[] {
  return claudeInput
    .filter(({ type }) => type === "user")
    .map(({ message }) => Object(Object(message).content)[0]?.text);
}

test("a message that waits for the lease of a host which is stopped then is kept, never reaches its Claude, and the host goes on without the session", async () => {
  const session = await holder.createSession();
  await session.finishTurn("First");
  const [{ pid: claude } = { pid: 0 }] = session.claudes;
  await withoutRenewals(holder.pid, async () => {
    await gateIsShut(holder.pid);
    void session.message(WAITING).catch(() => {});
    await until(
      () => sql`SELECT FROM tugtalk.entries e JOIN tugtalk.sessions s ON s.number = e.session
        WHERE s.id = ${session.id} AND strpos(e.data, ${WAITING}) > 0`,
    );
    process.kill(holder.pid, "SIGSTOP");
    expect(isRunning(claude)).toBe(true);
  });
  const there = at(other, session);
  const events = await there.events();
  await events.next(({ type, data }) => type === "session_state" && data["state"] === "exited");
  await events.next(({ type, data }) => type === "message_returned" && data["message"] === WAITING);
  expect(isRunning(claude)).toBe(false);
  expect((await there.finishTurn("At the other")).data).toMatchObject({ result: "success" });

  process.kill(holder.pid, "SIGCONT");
  const again = () => session.message("At the first again");
  let answer = await again();
  // Repeats until the host has begun anew.
  while (answer.status === 503) answer = await again();
  expect(answer).toMatchObject({ status: 200 });
  const isLast = ({ type, data }: SentEvent) =>
    type === "turn_complete" && Object(data["message_ids"]).includes(answer.body["message_id"]);
  const read = await Promise.all([there, session].map((one) => one.events()));
  for (const one of read) await one.next(isLast);
  const sent = read.map((one) => one.events.filter(({ type }) => type === "message_sent"));
  const texts = ["First", WAITING, "At the other", "At the first again"];
  for (const one of sent) expect(one.map(({ data }) => data["message"])).toEqual(texts);
  expect(heard(session)).toEqual(texts.filter((text) => text !== WAITING));
  expect(session.claudes).toHaveLength(2);
});
