/** `tugtalk host sessions` on a database, with and without running hosts. */
import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { runCommand, sessionsCommand } from "../../../testing/drivers/ended-command.ts";
import {
  startHost,
  type TestHost,
  TestHostSession,
} from "../../../testing/drivers/host-process.ts";
import { ASKING } from "../../../testing/drivers/written-conversation.ts";
import { SharedHosts } from "../../shared/__tests__/support/shared-hosts.ts";

const hosts = await SharedHosts.open();
afterAll(() => hosts.end());

function run(host: Pick<TestHost, "dataDir">, url: string, ...words: readonly string[]) {
  const env = { ...process.env, TUGTALK_DATABASE: url };
  return runCommand(sessionsCommand(host.dataDir, words), { env });
}

test("sessions in a database are listed, exported and deleted while no host has them, and one that a host has is refused", async () => {
  const url = await hosts.server.newDatabase();
  const host = await startHost({ args: ["--machine=box"], env: { TUGTALK_DATABASE: url } });
  const session = await host.createSession({ title: "First" });
  await session.finishTurn("Tell me something");
  expect(JSON.parse((await run(host, url, "--json")).out).sessions).toEqual([
    expect.objectContaining({ id: session.id, title: "First", machine: "box" }),
  ]);
  expect((await run(host, url, "export", session.id)).out).toContain("Tell me something");
  const refused = await run(host, url, "delete", session.id);
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toContain(`the host on box (process ${host.pid}) has the session`);
  expect((await session.run("session")).status).toBe(200);

  await host.stop();
  const file = join(host.root, "url");
  await Bun.write(file, `${url}\n`);
  const words = ["delete", session.id, "--database-file", file];
  const deleted = await runCommand(sessionsCommand(host.dataDir, words));
  expect(deleted).toEqual({ code: 0, out: `deleted ${session.id}\n`, err: "" });
  expect((await run(host, url)).out).toBe("no sessions\n");
  expect((await run(host, url, "delete", session.id)).err).toContain("there is no such session");
  expect((await run(host, url, "backup", join(host.root, "copy"))).err).toContain("pg_dump");
});

test("an import wakes the hosts of the database", async () => {
  const url = await hosts.server.newDatabase();
  const alone = await startHost({ hasFile: true });
  await alone.stop();
  const sql = new SQL(url, { max: 1 });
  const heard = Promise.withResolvers<string>();
  await sql.listen("tugtalk", heard.resolve);
  expect(await run(alone, url, "import", "--all")).toMatchObject({ code: 0 });
  expect(await heard.promise).toBe("rows");
  await sql.close();
});

test("the sessions of a host go into a database where hosts run, and back into the folder, and go on at each", async () => {
  const url = await hosts.server.newDatabase();
  const alone = await startHost({ hasFile: true });
  const session = await alone.createSession({ title: "Moves" });
  await session.finishTurn("in the folder");
  const open = await alone.createSession({ title: "Asks", conversation: ASKING });
  const events = await open.events();
  await open.message("go");
  await events.next("control_request_forward");
  events.close();

  const locked = await run(alone, url, "import", "--all", "--machine=box");
  expect(locked.err).toContain("is open in another host");
  // The next host closes the turns and prompts that are open here.
  await alone.kill();
  const shared = await startHost({
    args: ["--machine=box", "--lease=2", "--idle-exit=2"],
    env: { TUGTALK_DATABASE: url },
  });
  const board = await shared.events("/api/events");
  await board.next("sessions");
  const moved = await run(alone, url, "import", "--all", "--machine=box");
  expect(moved).toMatchObject({ code: 0, err: "" });
  expect(moved.out).toStartWith("moved 2 sessions into the database; ");
  expect(readdirSync(alone.dataDir).filter((name) => /\.sqlite(-wal)?$/.test(name))).toEqual([]);
  await board.next(
    ({ type, data }) =>
      type === "session_changed" && data["id"] === open.id && data["state"] === "exited",
  );
  board.close();
  const there = new TestHostSession(shared, session.id, session.dir);
  expect((await there.finishTurn("in the database")).data).toMatchObject({ result: "success" });

  const held = await run(alone, url, "export", "--all", "--machine=box");
  expect(held.err).toContain(`the host on box (process ${shared.pid}) has the session`);
  await shared.stop();
  const back = await run(alone, url, "export", "--all", "--machine=box");
  expect(back).toEqual({
    code: 0,
    out: `moved 2 sessions into ${join(alone.dataDir, "journal.sqlite")}\n`,
    err: "",
  });
  expect((await run(alone, url)).out).toBe("no sessions\n");
  await alone.start();
  expect((await session.finishTurn("in the folder again")).data).toMatchObject({
    result: "success",
  });
  const { body } = await session.run("export", { format: "json" });
  for (const text of ["in the folder", "in the database", "in the folder again"])
    expect(JSON.stringify(body)).toContain(text);
});

test("a move that is not possible is reported in one line", async () => {
  const alone = await startHost({ hasFile: true });
  const folder = { dataDir: join(alone.root, "empty") };
  const none = await run(folder, hosts.url, "import", "--all");
  expect(none.err).toContain(`no host has kept sessions in ${folder.dataDir}`);
  const noDatabase = await run(alone, hosts.server.urlOf("missing"), "export", "--all");
  expect(noDatabase).toMatchObject({ code: 1, out: "" });
  expect(noDatabase.err).toMatch(/^tugtalk host sessions: .*there is no such database.*\n$/);
});
