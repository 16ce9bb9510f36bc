/** Commands for a session of another host, whose answers are lost on the way to the database. */
import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { BreakingProxy } from "../../../testing/drivers/breaking-proxy.ts";
import { at, SharedHosts } from "./support/shared-hosts.ts";

const hosts = await SharedHosts.open();
const proxy = await BreakingProxy.open(hosts.server.port);
const sql = new SQL(hosts.url, { max: 4 });
// A host that is stopped for a while keeps its sessions.
const args = ["--lease=60", "--idle-exit=60"];
const TUGTALK_DATABASE = hosts.url.replace(`:${hosts.server.port}/`, `:${proxy.port}/`);
const [holder, asker] = await Promise.all([
  hosts.start({ args }),
  hosts.start({ args, env: { TUGTALK_DATABASE } }),
]);
afterAll(async () => {
  process.kill(holder.pid, "SIGCONT");
  await sql.close();
  proxy.close();
  await hosts.end();
});

/** Resolves once the database gives a row. */
async function until(isSo: () => Promise<readonly unknown[]>): Promise<void> {
  while ((await isSo()).length === 0) await Bun.sleep(5);
}

/** Locks the table of commands during `work`. */
async function whileLocked<Value>(work: () => Promise<Value>): Promise<Value> {
  return sql.begin(async (locking) => {
    await locking`LOCK TABLE tugtalk.calls IN ACCESS EXCLUSIVE MODE`;
    return work();
  });
}

/** Whether the row comes before the command is answered. */
async function comes(
  isSo: () => Promise<readonly unknown[]>,
  asked: Promise<unknown>,
): Promise<boolean> {
  let isAnswered = false;
  void asked.finally(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    if ((await isSo()).length > 0) return true;
    await Bun.sleep(5);
  }
  return false;
}

/** Whether a statement with this beginning waits for the table. */
function isHeld(statement: string, asked: Promise<unknown>): Promise<boolean> {
  return comes(
    () => sql`SELECT pid FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND starts_with(query, ${statement})`,
    asked,
  );
}

test("a command that was refused with 503 is not carried out by a host that was stopped and goes on", async () => {
  const session = await holder.createSession();
  const there = at(asker, session);
  // Enough commands at once that each connection of the host has prepared the statements.
  const first = Array.from({ length: 24 }, () => there.run("update", { title: "First" }));
  for (const answer of await Promise.all(first)) expect(answer).toMatchObject({ status: 200 });
  process.kill(holder.pid, "SIGSTOP");
  let asking = Promise.resolve<unknown>(undefined);
  const ask = async () => {
    asking = there.run("update", { title: "Given up" });
    if (!(await isHeld("INSERT INTO calls", asking))) return false;
    proxy.freeze("open");
    return true;
  };
  const written = () => sql`SELECT FROM tugtalk.calls WHERE strpos(call, 'Given up') > 0`;
  // On a connection without this statement the server prepares it first, and that is frozen.
  for (let isWritten = false; !isWritten; ) {
    if (!(await whileLocked(ask))) continue;
    isWritten = await comes(written, asking);
    if (!isWritten) proxy.cut();
  }
  proxy.cut();
  expect(await asking).toMatchObject({ status: 503, body: { code: "database_away" } });
  process.kill(holder.pid, "SIGCONT");
  // Commands are executed in the order of the requests. The asking host may still have to reconnect.
  const later = () => there.run("update", { limit_usd: 5 });
  let answer = await later();
  while (answer.status === 503) answer = await later();
  expect(answer).toMatchObject({ status: 200 });
  expect((await session.run("session")).body).toMatchObject({ title: "First", limit_usd: 5 });
});

test("a command that a host has begun with before it was stopped has an unknown outcome: it is carried out when the host goes on", async () => {
  const session = await holder.createSession();
  const there = at(asker, session);
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = sql.begin(async (locking) => {
    await locking`SELECT FROM tugtalk.sessions WHERE id = ${session.id} FOR UPDATE`;
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  const asked = there.run("update", { title: "Begun" });
  await until(() => sql`SELECT FROM tugtalk.calls WHERE is_taken AND session = ${session.id}`);
  process.kill(holder.pid, "SIGSTOP");
  await whileLocked(async () => {
    if (await isHeld("SELECT reply FROM calls", asked)) proxy.cut();
  });
  expect(await asked).toMatchObject({ status: 504, body: { code: "outcome_unknown" } });
  held.resolve();
  await holding;
  process.kill(holder.pid, "SIGCONT");
  expect(await there.run("update", { limit_usd: 5 })).toMatchObject({ status: 200 });
  expect((await session.run("session")).body).toMatchObject({ title: "Begun", limit_usd: 5 });
});
