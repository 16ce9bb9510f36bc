/** Damage to the journal affects one session, or one entry of it, and the host reports it. */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { runSessions } from "../../testing/drivers/ended-command.ts";
import { endHosts, startHost, type TestHost } from "../../testing/drivers/host-process.ts";

afterAll(endHosts);

async function talkedSession(host: TestHost, title: string) {
  const session = await host.createSession({ title });
  await session.finishTurn(`Say something in ${title}`);
  return session;
}

/** A stopped host with a session to damage, and another one. */
async function stoppedHost(end: "stop" | "kill") {
  const host = await startHost({ hasFile: true });
  const damaged = await talkedSession(host, "First");
  const other = await talkedSession(host, "Second");
  await host[end]();
  return { host, damaged, other };
}

function journalOf(host: TestHost): string {
  return join(host.dataDir, "journal.sqlite");
}

/** Runs SQL on the journal of a stopped host; `$number` is the number of the session. */
function change(host: TestHost, id: string, sql: string): void {
  const db = new Database(journalOf(host), { strict: true });
  const found = db.query<{ number: number }, [{ id: string }]>(
    "SELECT number FROM sessions WHERE id = $id",
  );
  const { changes } = db.query(sql).run({ number: found.get({ id })?.number ?? 0 });
  expect(changes).toBeGreaterThan(0);
  db.close();
}

async function listed(host: TestHost): Promise<readonly Listed[]> {
  const { sessions } = JSON.parse((await runSessions(host.dataDir, "list", "--json")).out);
  return sessions.map(({ id, title, state }: Listed) => ({ id, title, state }));
}

type Listed = { readonly id: string; readonly title: string; readonly state: string };

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}

/** Faults in the row of a session. */
const DAMAGES: readonly (readonly [what: string, change: string])[] = [
  ["it is no JSON", 'UPDATE sessions SET row = \'{"id": "\' WHERE number = $number'],
  ["it is another value", "UPDATE sessions SET row = 'null' WHERE number = $number"],
  [
    "it lacks what a list shows",
    "UPDATE sessions SET row = json_remove(row, '$.summary') WHERE number = $number",
  ],
  ["it is of bytes", "UPDATE sessions SET row = x'00ff1234' WHERE number = $number"],
];

test("a host starts without each session whose row is damaged, and says what to do with it", async () => {
  const host = await startHost({ hasFile: true });
  const damaged = [];
  for (const [what, sql] of DAMAGES)
    damaged.push({ what, sql, session: await talkedSession(host, what) });
  const other = await talkedSession(host, "Whole");
  await host.stop();
  for (const { session, sql } of damaged) change(host, session.id, sql);
  const rows = damaged.map(({ session: { id } }) => ({
    id,
    title: "Damaged session",
    state: "failed",
  }));
  const whole = { id: other.id, title: "Whole", state: "exited" };
  const all = [whole, ...rows].toSorted(byId);
  expect((await listed(host)).toSorted(byId)).toEqual(all);
  await host.start();
  const { sessions } = (await host.run("sessions")).body;
  expect((await listed(host)).toSorted(byId)).toEqual(all);
  for (const { what, session } of damaged) {
    const remedy = `tugtalk host sessions export ${session.id}`;
    expect(sessions).toContainEqual(
      expect.objectContaining({ id: session.id, last_error: expect.stringContaining(remedy) }),
    );
    for (const command of ["session", "snapshot", "message", "pending", "turns"] as const) {
      const fields = command === "message" ? { message: "x" } : {};
      const { status, body } = await session.run(command, fields);
      expect({ what, command, status, code: body["code"] }).toEqual({
        ...{ what, command },
        ...{ status: 500, code: "session_damaged" },
      });
    }
    expect((await session.run("export")).body["text"]).toContain(`Say something in ${what}`);
  }
  expect((await other.message("Go on")).status).toBe(200);
  expect((await host.run("dirs")).status).toBe(200);
  for (const { session } of damaged) expect((await session.run("delete")).status).toBe(200);
  expect((await host.run("sessions")).body["sessions"]).toHaveLength(1);
});

test("a session that was left open and whose state is damaged stops no start, and is reported as failed", async () => {
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

test("an error stands in the place of a damaged entry, and the others are read", async () => {
  const { host, damaged } = await stoppedHost("stop");
  change(host, damaged.id, "DELETE FROM snapshots WHERE session = $number");
  const sql =
    "UPDATE entries SET data = '{\"text' WHERE session = $number AND type = 'message_sent'";
  change(host, damaged.id, sql);
  await host.start();
  const events = await damaged.events();
  expect((await events.next("host_error")).data).toMatchObject({ code: "entry_damaged" });
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
