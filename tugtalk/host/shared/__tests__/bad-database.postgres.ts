/** Databases that a host cannot use: the host gives the reason in one line, and leaves nothing in them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { BreakingProxy } from "../../../testing/drivers/breaking-proxy.ts";
import { HOST_BRIDGE, UNDER_TEST } from "../../../testing/drivers/bridge-process.ts";
import { ClaimedServer } from "../../../testing/drivers/claimed-server.ts";
import { type EndedCommand, runCommand } from "../../../testing/drivers/ended-command.ts";
import { Pooler } from "../../../testing/drivers/pooler.ts";
import { PostgresServer } from "../../../testing/drivers/postgres-server.ts";
import { connect } from "../../journal/postgres/connection.ts";

const PASSWORD = "pa55-of-the-role";
const FOLDER = mkdtempSync(join(tmpdir(), "bad-database-"));
const server = await PostgresServer.start();
const admin = new SQL(server.urlOf("postgres"), { max: 1 });

beforeAll(async () => {
  const [row] = await admin<{ file: string }[]>`SELECT current_setting('hba_file') AS file`;
  const rules = ["host all tugtalk 127.0.0.1/32 trust", "host all all 127.0.0.1/32 scram-sha-256"];
  writeFileSync(String(row?.file), `${rules.join("\n")}\n`);
  await admin`SELECT pg_reload_conf()`;
  await admin.unsafe(`CREATE ROLE poor LOGIN PASSWORD '${PASSWORD}'`);
});
afterAll(async () => {
  await admin.close();
  await server.stop();
  rmSync(FOLDER, { recursive: true });
});

/** Runs a host with these arguments and this environment only. */
function runHost(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const places = { PATH: process.env["PATH"], HOME: FOLDER, XDG_STATE_HOME: join(FOLDER, "state") };
  const command = [...UNDER_TEST, "host", "--port=0", `--dir=${FOLDER}`, ...words];
  return runCommand(command, { cwd: FOLDER, env: { ...places, ...HOST_BRIDGE, ...env } });
}

function runOn(url: string): Promise<EndedCommand> {
  return runHost([], { TUGTALK_DATABASE: url });
}

/** The one line of the refusal, without the URL. */
async function refusal(url: string): Promise<string> {
  const { code, out, err } = await runOn(url);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/^tugtalk host: [^\n]+\n$/);
  expect(err).not.toContain(PASSWORD);
  expect(err).not.toContain("postgres://tugtalk");
  return err;
}

async function during<Value>(url: string, run: (sql: SQL) => Promise<Value>): Promise<Value> {
  const sql = new SQL(url, { max: 1 });
  try {
    return await run(sql);
  } finally {
    await sql.close();
  }
}

function urlAs(role: string, password: string, url: string): string {
  const named = new URL(url);
  named.username = role;
  named.password = password;
  return named.href;
}

test("a wrong password is refused, and the right one does not help a role that may not create tables, until it may", async () => {
  const url = await server.newDatabase();
  expect(await refusal(urlAs("poor", `not-${PASSWORD}`, url))).toContain(
    "cannot be opened with this user and password",
  );
  const poor = urlAs("poor", PASSWORD, url);
  expect(await refusal(poor)).toContain("is not allowed for this role");
  await during(url, (sql) =>
    sql.unsafe(`GRANT CREATE ON DATABASE ${new URL(url).pathname.slice(1)} TO poor`),
  );
  await (await connect(poor)).close();
});

test("a server that is too old, and a standby, are refused", async () => {
  const facts = { version: "150000", readOnly: "t", encoding: "UTF8", path: "tugtalk" };
  for (const [row, problem] of [
    [{ ...facts, version: "140012" }, "PostgreSQL 14 is too old: at least 15 is needed"],
    [facts, "the database can only be read: it is a standby"],
  ] as const) {
    const claimed = new ClaimedServer(row);
    expect(await refusal(claimed.url)).toBe(`tugtalk host: ${problem}\n`);
    claimed.stop();
  }
});

test("a database that can only be read is refused", async () => {
  const url = await server.newDatabase();
  const name = new URL(url).pathname.slice(1);
  await during(url, (sql) =>
    sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = on`),
  );
  expect(await refusal(url)).toContain("can only be read");
});

test("a database in another encoding is refused", async () => {
  const encoding = "ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'";
  await admin.unsafe(`CREATE DATABASE ascii TEMPLATE template0 ${encoding}`);
  expect(await refusal(server.urlOf("ascii"))).toContain("SQL_ASCII: UTF8 is needed");
});

test("a schema of another program, and one of a newer host, are refused and left alone", async () => {
  const url = await server.newDatabase();
  const [comment] = await during(url, async (sql) => {
    await sql.unsafe("CREATE SCHEMA tugtalk CREATE TABLE sessions (theirs text)");
    expect(await refusal(url)).toContain("is that of another program");
    await sql.unsafe("COMMENT ON SCHEMA tugtalk IS 'tugtalk journal 99'");
    expect(await refusal(url)).toContain("has version 99 of a newer tugtalk");
    return sql`SELECT obj_description('tugtalk'::regnamespace) AS text,
      (SELECT count(*)::int FROM pg_tables WHERE schemaname = 'tugtalk') AS tables`;
  });
  expect(comment).toEqual({ text: "tugtalk journal 99", tables: 1 });
});

test("on a full disk no table is made", async () => {
  const url = await server.newDatabase();
  await during(url, async (sql) => {
    await sql.unsafe(`CREATE FUNCTION fill() RETURNS event_trigger LANGUAGE plpgsql AS
      $$ BEGIN IF EXISTS (SELECT FROM pg_tables WHERE schemaname = 'tugtalk' OFFSET 2)
        THEN RAISE 'could not extend file' USING ERRCODE = '53100'; END IF; END $$`);
    await sql.unsafe("CREATE EVENT TRIGGER full_disk ON ddl_command_end EXECUTE FUNCTION fill()");
    expect(await refusal(url)).toContain("cannot be written, its disk is full");
    expect(await sql`SELECT nspname FROM pg_namespace WHERE nspname = 'tugtalk'`).toHaveLength(0);
    await sql.unsafe("DROP EVENT TRIGGER full_disk");
  });
  await (await connect(url)).close();
});

test("a host for which the server has too few connections left is refused", async () => {
  const url = await server.newDatabase();
  await admin.unsafe(`CREATE ROLE narrow LOGIN PASSWORD '${PASSWORD}' CONNECTION LIMIT 8`);
  const name = new URL(url).pathname.slice(1);
  await admin.unsafe(`ALTER DATABASE ${name} OWNER TO narrow`);
  expect(await refusal(urlAs("narrow", PASSWORD, url))).toContain("has no resources left");
});

const PASSED_ON = "ignore_startup_parameters = search_path";

test.each<[settings: readonly string[], problem: string]>([
  [["pool_mode = transaction"], "a connection pooler that refuses what is needed"],
  [["pool_mode = session", PASSED_ON], "does not pass on the search path"],
])("a connection pooler with %p is refused", async (settings, problem) => {
  const url = await server.newDatabase();
  expect(await refusalBehind(url, settings)).toContain(problem);
});

test("a connection pooler that keeps no connection for each client is refused, and one that does is used", async () => {
  const url = await server.newDatabase();
  await admin.unsafe("ALTER ROLE tugtalk SET search_path = tugtalk");
  const shared = "gives the connections of the database to others after each transaction";
  const transactions = ["pool_mode = transaction", PASSED_ON];
  expect(await refusalBehind(url, transactions)).toContain(shared);
  expect(await refusalBehind(url, [...transactions, "server_round_robin = 1"])).toContain(shared);
  expect(await refusalBehind(url, ["pool_mode = statement", PASSED_ON])).toContain("refuses");
  const pooler = await Pooler.start(server.port, ["pool_mode = session", PASSED_ON]);
  const sql = await connect(behind(pooler, url));
  expect(await sql`SELECT id FROM sessions`).toHaveLength(0);
  await sql.close({ timeout: 1 });
  await pooler.stop();
  await admin.unsafe("ALTER ROLE tugtalk RESET search_path");
});

function behind({ port }: Pooler, url: string): string {
  return url.replace(`:${server.port}/`, `:${port}/`);
}

async function refusalBehind(url: string, settings: readonly string[]): Promise<string> {
  const pooler = await Pooler.start(server.port, settings);
  const text = await refusal(behind(pooler, url));
  await pooler.stop();
  return text;
}

test("a host that takes connections and says nothing is given up after a while", async () => {
  const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const url = `postgres://tugtalk:${PASSWORD}@127.0.0.1:${silent.port}/tugtalk`;
  expect(await refusal(url)).toContain("cannot be reached");
  silent.stop(true);
});

test("a host whose connections break off in the middle of its start says so and ends", async () => {
  const url = await server.newDatabase();
  await (await connect(url)).close();
  const proxy = await BreakingProxy.open(server.port);
  const started = await during(url, (sql) =>
    sql.begin(async (locking) => {
      await locking`LOCK TABLE tugtalk.calls IN ACCESS EXCLUSIVE MODE`;
      const run = runOn(url.replace(`:${server.port}/`, `:${proxy.port}/`));
      const isWaiting = () =>
        admin`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = ${new URL(url).pathname.slice(1)}`;
      while ((await isWaiting()).length === 0) await Bun.sleep(5);
      proxy.cut();
      return await run;
    }),
  );
  proxy.close();
  expect({ code: started.code, out: started.out }).toEqual({ code: 1, out: "" });
  expect(started.err).toContain("cannot be reached");
});

test("a file with the URL that is missing or empty is reported by its flag and path, and both ways at once are refused as arguments", async () => {
  const missing = join(FOLDER, "missing");
  const empty = join(FOLDER, "empty");
  writeFileSync(empty, "\n");
  for (const file of [missing, empty]) {
    const { code, out, err } = await runHost([`--database-file=${file}`]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^tugtalk host: [^\n]+\n$/);
    expect(err).toContain("--database-file: ");
    expect(err).toContain(file);
  }
  const url = `postgres://tugtalk:${PASSWORD}@127.0.0.1/tugtalk`;
  const both = await runHost([`--database-file=${empty}`], { TUGTALK_DATABASE: url });
  expect(both.code).toBe(2);
  expect(both.err).toContain("--database-file: contradicts the variable TUGTALK_DATABASE");
  expect(both.err).not.toContain(PASSWORD);
});
