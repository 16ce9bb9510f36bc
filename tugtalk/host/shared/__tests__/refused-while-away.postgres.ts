/** Commands that arrive just when the database stops answering, before their host knows of it. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { SQL } from "bun";
import { BreakingProxy } from "../../../testing/drivers/breaking-proxy.ts";
import type { HttpAnswer } from "../../../testing/drivers/http-answer.ts";
import { MAX_ANSWER_MS } from "../../journal/postgres/replaceable-pool.ts";
import { SharedHosts } from "./support/shared-hosts.ts";

const hosts = await SharedHosts.open();
const proxy = await BreakingProxy.open(hosts.server.port);
const sql = new SQL(hosts.url, { max: 2 });
const TUGTALK_DATABASE = hosts.url.replace(`:${hosts.server.port}/`, `:${proxy.port}/`);
afterEach(() => proxy.thaw());
afterAll(async () => {
  await sql.close();
  proxy.close();
  await hosts.end();
});

/** Repeats a command as long as the host cannot reach the database. */
async function whenBack(run: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  let answer = await run();
  while (answer.status === 503) answer = await run();
  return answer;
}

test("a message that arrives before its host knows that the database is away is refused in bounded time, and never reaches Claude", async () => {
  // A lease that is longer than the whole test.
  const args = ["--lease=60", "--idle-exit=60"];
  const host = await hosts.start({ args, env: { TUGTALK_DATABASE } });
  const session = await host.createSession();
  await session.finishTurn("First");
  proxy.freeze();
  const from = performance.now();
  const answers = await Promise.all(["Second", "Third"].map((text) => session.message(text)));
  expect(performance.now() - from).toBeLessThan(MAX_ANSWER_MS + 4_000);
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 503, body: { code: "database_away" } });
  proxy.thaw();
  expect(await whenBack(() => session.message("Last"))).toMatchObject({ status: 200 });
  await session.claudeHears((line) => JSON.stringify(line).includes("Last"));
  expect(JSON.stringify(session.claudeInput)).not.toMatch(/Second|Third/);
  expect(JSON.stringify((await session.run("snapshot")).body)).not.toMatch(/Second|Third/);
});

test("a command whose commit was written, and not answered before the lease was over, has an unknown outcome, and one that waited for it is refused", async () => {
  const host = await hosts.start({ args: ["--lease=6"], env: { TUGTALK_DATABASE } });
  const session = await host.createSession();
  await session.finishTurn("First");
  const asked: Promise<HttpAnswer>[] = [];
  await sql.begin(async (locking) => {
    await locking`SELECT FROM tugtalk.sessions WHERE id = ${session.id} FOR UPDATE`;
    asked.push(session.run("update", { title: "Written" }));
    const isHeld = () => sql`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
    while ((await isHeld()).length === 0) await Bun.sleep(5);
    asked.push(session.run("update", { limit_usd: 5 }));
    // Once this is answered, the host has received the command before it, too.
    await host.run("health");
    proxy.freeze();
  });
  const [written, waiting] = await Promise.all(asked);
  expect(written).toMatchObject({ status: 504, body: { code: "outcome_unknown" } });
  expect(waiting).toMatchObject({ status: 503, body: { code: "host_changed" } });
  proxy.thaw();
  const { body } = await whenBack(() => session.run("update", { archived: false }));
  expect(body).toMatchObject({ title: "Written" });
  expect(body).not.toHaveProperty("limit_usd");
});
