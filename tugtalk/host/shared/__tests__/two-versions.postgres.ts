/**
 * An upgrade: a host of a made-up next version, whose tables have further columns, beside hosts that run
 * already.
 */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { SQL } from "bun";
import { failureOf } from "../../../testing/drivers/failure.ts";
import { ASKING } from "../../../testing/drivers/written-conversation.ts";
import { at, SharedHosts } from "./support/shared-hosts.ts";

const NEXT_VERSION = join(import.meta.dir, "../../../testing/fixtures/next-version.ts");
const hosts = await SharedHosts.open();
const sql = new SQL(hosts.url, { max: 1 });
const [older, other] = await Promise.all([hosts.start(), hosts.start()]);
afterAll(async () => {
  await sql.close();
  await hosts.end();
});

async function version(): Promise<number> {
  const [row] = await sql<
    { text: string }[]
  >`SELECT obj_description('tugtalk'::regnamespace) AS text`;
  return Number(row?.text.split(" ").at(-1));
}

test("hosts that run go on beside one of the next version, serve its sessions, give it theirs, and start no more", async () => {
  const before = await version();
  const session = await older.createSession({ conversation: ASKING });
  await session.message("go");
  await (await session.events()).next("control_request_forward");
  // Both hosts prepare all statements of a command.
  for (const title of ["One", "Two"]) await at(other, session).run("update", { title });
  const next = await hosts.start({ env: { BUN_OPTIONS: `--preload=${NEXT_VERSION}` } });
  expect(await version()).toBe(before + 1);

  const answer = { requestId: "prompt1", decision: "allow" };
  expect(await at(next, session).run("approve", answer)).toMatchObject({ status: 200 });
  await session.claudeHears(({ type }) => type === "control_response");
  const theirs = await next.createSession();
  for (const host of [older, other, next]) {
    expect((await at(host, theirs).finishTurn("Hello")).data).toMatchObject({ result: "success" });
    const own = await host.createSession();
    for (const reader of [older, other, next])
      expect((await at(reader, own).finishTurn()).data).toMatchObject({ result: "success" });
    expect((await host.run("search", { q: "Hello" })).body).not.toHaveProperty("code");
    expect(await at(next, own).run("delete")).toMatchObject({ status: 200 });
  }
  await older.kill();
  const events = await at(next, session).events();
  await events.next(({ type, data }) => type === "session_state" && data["state"] === "exited");
  expect(await at(next, session).message("again")).toMatchObject({ status: 200 });
  await next.kill();
  expect((await at(other, theirs).finishTurn("taken")).data).toMatchObject({ result: "success" });

  expect(await failureOf(hosts.start())).toMatchObject({
    message: expect.stringContaining(`version ${before + 1} of a newer tugtalk`),
  });
});
