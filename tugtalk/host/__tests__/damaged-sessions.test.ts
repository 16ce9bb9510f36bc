/** What a damaged part of the journal costs: one session, or one entry of it, and what is told of it. */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { UNDER_TEST } from "../../testing/drivers/bridge-process.ts";
import { endHosts, startHost, type TestHost } from "../../testing/drivers/host-process.ts";

afterAll(endHosts);

async function talkedSession(host: TestHost, title: string) {
  const session = await host.createSession({ title });
  const events = await session.events();
  await session.message(`Say something in ${title}`);
  await events.next("turn_complete");
  events.close();
  return session;
}

/** A stopped host with a session to damage, and another one. */
async function stoppedHost(end: "stop" | "kill") {
  const host = await startHost();
  const damaged = await talkedSession(host, "First");
  const other = await talkedSession(host, "Second");
  await host[end]();
  return { host, damaged, other };
}

function journalOf(host: TestHost): string {
  return join(host.dataDir, "journal.sqlite");
}

/** Runs SQL on the journal of a stopped host; `$number` is that of the session. */
function change(host: TestHost, id: string, sql: string): void {
  const db = new Database(journalOf(host), { strict: true });
  const found = db.query<{ number: number }, [{ id: string }]>(
    "SELECT number FROM sessions WHERE id = $id",
  );
  const { changes } = db.query(sql).run({ number: found.get({ id })?.number ?? 0 });
  expect(changes).toBeGreaterThan(0);
  db.close();
}

async function listed(host: TestHost) {
  const child = Bun.spawn(
    [...UNDER_TEST, "host", "sessions", "list", "--json", "--data", host.dataDir],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const { sessions } = JSON.parse(await new Response(child.stdout).text());
  return sessions.map(({ id, title, state }: Record<string, unknown>) => ({ id, title, state }));
}

test.each([
  ["its row is no JSON", 'UPDATE sessions SET row = \'{"id": "\' WHERE number = $number'],
  ["its row is another value", "UPDATE sessions SET row = 'null' WHERE number = $number"],
  [
    "its row lacks what a list shows",
    "UPDATE sessions SET row = json_remove(row, '$.summary') WHERE number = $number",
  ],
  ["its row is of bytes", "UPDATE sessions SET row = x'00ff1234' WHERE number = $number"],
])(
  "a host starts without the one session of which %s, and says what to do with it",
  async (_what, sql) => {
    const { host, damaged, other } = await stoppedHost("stop");
    change(host, damaged.id, sql);
    const row = { id: damaged.id, title: "Damaged session", state: "failed" };
    const whole = { id: other.id, title: "Second", state: "exited" };
    expect(await listed(host)).toEqual([whole, row]);
    await host.start();
    const { sessions } = (await host.run("sessions")).body;
    const remedy = `tugtalk host sessions export ${damaged.id}`;
    expect(sessions).toContainEqual(
      expect.objectContaining({ ...row, last_error: expect.stringContaining(remedy) }),
    );
    expect(await listed(host)).toEqual([whole, row]);
    for (const command of ["session", "snapshot", "message", "pending", "turns"] as const) {
      const { status, body } = await damaged.run(
        command,
        command === "message" ? { message: "x" } : {},
      );
      expect({ command, status, code: body["code"] }).toEqual({
        command,
        status: 500,
        code: "session_damaged",
      });
    }
    expect((await damaged.run("export")).body["text"]).toContain("Say something in First");
    expect((await other.message("Go on")).status).toBe(200);
    expect((await host.run("dirs")).status).toBe(200);
    expect((await damaged.run("delete")).status).toBe(200);
    expect((await host.run("sessions")).body["sessions"]).toHaveLength(1);
  },
);

test("a session that was left open and whose state is damaged stops no start, and is told as failed", async () => {
  const { host, damaged, other } = await stoppedHost("kill");
  change(host, damaged.id, "UPDATE sessions SET start_seq = 3 WHERE number = $number");
  change(
    host,
    damaged.id,
    "INSERT OR REPLACE INTO snapshots VALUES ($number, 3, '{\"entries\": 7}')",
  );
  await host.start();
  const { sessions } = (await host.run("sessions")).body;
  expect(sessions).toContainEqual(
    expect.objectContaining({ id: damaged.id, title: "First", state: "failed" }),
  );
  expect((await damaged.run("snapshot")).body).toMatchObject({ code: "session_damaged" });
  expect((await damaged.run("export")).status).toBe(200);
  expect((await other.run("snapshot")).status).toBe(200);
});

test("a damaged snapshot costs nothing while all entries are kept", async () => {
  const { host, damaged } = await stoppedHost("stop");
  await host.start();
  const before = (await damaged.run("export", { format: "json" })).body["entries"];
  await host.stop();
  change(host, damaged.id, "UPDATE snapshots SET state = 'x' WHERE session = $number");
  await host.start();
  expect((await damaged.run("export", { format: "json" })).body["entries"]).toEqual(before);
  expect((await damaged.message("Go on")).status).toBe(200);
});

test("a damaged entry is told in its place, and the others are read", async () => {
  const { host, damaged } = await stoppedHost("stop");
  change(host, damaged.id, "DELETE FROM snapshots WHERE session = $number");
  const sql =
    "UPDATE entries SET data = '{\"text' WHERE session = $number AND type = 'message-sent'";
  change(host, damaged.id, sql);
  await host.start();
  const events = await damaged.events();
  expect((await events.next("host-error")).data).toMatchObject({ code: "entry_damaged" });
  expect((await events.next("turn_complete")).data).toMatchObject({ result: "success" });
  events.close();
  expect((await damaged.run("export")).body["text"]).toContain("is damaged in the journal");
});

/** Overwrites the first page of a table that has rows only. */
function overwritePage(host: TestHost, table: string): void {
  const db = new Database(journalOf(host));
  const leaf = db.query<{ pageno: number }, [string]>(
    "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' AND path != '/' ORDER BY path",
  );
  const number = leaf.get(table)?.pageno ?? 0;
  db.close();
  expect(number).toBeGreaterThan(1);
  const file = openSync(journalOf(host), "r+");
  writeSync(file, Buffer.alloc(PAGE_BYTES, 0xa5), 0, PAGE_BYTES, (number - 1) * PAGE_BYTES);
  closeSync(file);
}

const PAGE_BYTES = 8192;

test("a page of the file that cannot be read costs the session whose entries are on it", async () => {
  const { host, damaged, other } = await stoppedHost("stop");
  change(host, damaged.id, "DELETE FROM snapshots WHERE session = $number");
  overwritePage(host, "entries");
  await host.start();
  expect((await host.run("sessions")).body["sessions"]).toHaveLength(2);
  expect((await damaged.run("snapshot")).body).toMatchObject({ code: "session_damaged" });
  expect((await damaged.run("export")).status).toBe(200);
  expect((await other.run("export")).body["text"]).toContain("Say something in Second");
});
