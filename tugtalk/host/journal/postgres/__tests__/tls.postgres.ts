/** TLS to the database by the `sslmode` of its URL. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { runCommand } from "../../../../testing/drivers/ended-command.ts";
import { failureOf } from "../../../../testing/drivers/failure.ts";
import { PostgresServer } from "../../../../testing/drivers/postgres-server.ts";
import { connect } from "../connection.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "tls-"));
const AUTHORITY = join(FOLDER, "authority.crt");
const plain = await PostgresServer.start();
const secure = await PostgresServer.start();

beforeAll(async () => {
  await makeCertificate();
  const sql = new SQL(secure.urlOf("postgres"), { max: 1 });
  await sql.unsafe(`ALTER SYSTEM SET ssl_cert_file = '${join(FOLDER, "server.crt")}'`);
  await sql.unsafe(`ALTER SYSTEM SET ssl_key_file = '${join(FOLDER, "server.key")}'`);
  await sql.unsafe("ALTER SYSTEM SET ssl = on");
  await sql`SELECT pg_reload_conf()`;
  await sql.close();
  await speaksTls();
});
afterAll(async () => {
  await Promise.all([plain.stop(), secure.stop()]);
  rmSync(FOLDER, { recursive: true });
});

/** Makes a certificate for the name `localhost`, of an authority that nobody knows. */
async function makeCertificate(): Promise<void> {
  writeFileSync(join(FOLDER, "names"), "subjectAltName = DNS:localhost");
  const key = "-newkey rsa:2048 -noenc -keyout";
  for (const words of [
    `req -x509 ${key} authority.key -subj /CN=authority -out authority.crt`,
    `req ${key} server.key -subj /CN=localhost -out server.csr`,
    "x509 -req -in server.csr -CA authority.crt -CAkey authority.key -CAcreateserial -extfile names -out server.crt",
  ]) {
    const { code, err } = await runCommand(["openssl", ...words.split(" ")], { cwd: FOLDER });
    if (code !== 0) throw new Error(err);
  }
}

/** Waits until the server has read its new settings. */
async function speaksTls(): Promise<void> {
  const url = urlOf(secure, "127.0.0.1", "sslmode=require");
  while (
    await reached(url).then(
      () => false,
      () => true,
    )
  )
    await Bun.sleep(20);
}

function urlOf(server: PostgresServer, host: string, query: string): string {
  return `postgres://tugtalk@${host}:${server.port}/postgres?${query}`;
}

/** Whether the connection has TLS. Rejects with a `JournalError`. */
async function reached(url: string): Promise<boolean> {
  const sql = await connect(url);
  try {
    const [row] = await sql<
      { ssl: boolean }[]
    >`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;
    return row?.ssl === true;
  } finally {
    await sql.close({ timeout: 1 });
  }
}

async function refusalOf(url: string): Promise<string> {
  return (await failureOf(reached(url))).message;
}

const ROOT = `sslrootcert=${AUTHORITY}`;
const REFUSED = "cannot be reached as the sslmode of its URL demands";

test.each<[query: string, host: string, hasTls: boolean]>([
  ["", "127.0.0.1", false],
  ["sslmode=disable", "127.0.0.1", false],
  ["sslmode=prefer", "127.0.0.1", true],
  ["sslmode=require", "127.0.0.1", true],
  [`sslmode=verify-ca&${ROOT}`, "127.0.0.1", true],
  [`sslmode=verify-full&${ROOT}`, "localhost", true],
])("a server with TLS is reached with %p at %s, over TLS: %p", async (query, host, hasTls) => {
  expect(await reached(urlOf(secure, host, query))).toBe(hasTls);
});

test.each([
  ["sslmode=verify-full", "localhost"],
  [`sslmode=verify-full&${ROOT}`, "127.0.0.1"],
  ["sslmode=verify-ca", "localhost"],
])("a server whose certificate does not prove it is refused with %p at %s", async (query, host) => {
  expect(await refusalOf(urlOf(secure, host, query))).toContain(REFUSED);
});

test("a server without TLS is refused where the URL demands it, and used where it prefers it", async () => {
  for (const mode of ["require", "verify-full"])
    expect(await refusalOf(urlOf(plain, "127.0.0.1", `sslmode=${mode}`))).toContain(REFUSED);
  expect(await reached(urlOf(plain, "127.0.0.1", "sslmode=prefer"))).toBe(false);
});
