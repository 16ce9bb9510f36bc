/**
 * The URL of the database has a password: the host shows it to nobody, and no process that it starts has it.
 */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HostOptions, startHost } from "../../../testing/drivers/host-process.ts";
import { descendantsOf } from "../../../testing/drivers/processes.ts";
import { ASKING } from "../../../testing/drivers/written-conversation.ts";
import { at, SharedHosts } from "./support/shared-hosts.ts";

const PASSWORD = "pa55-of-the-database";
const hosts = await SharedHosts.open();
afterAll(() => hosts.end());

function withPassword(url: string): string {
  const secret = new URL(url);
  secret.password = PASSWORD;
  return secret.href;
}

const URL_OF_DATABASE = withPassword(hosts.url);
const FOLDER = mkdtempSync(join(tmpdir(), "database-url-"));
const FILE = join(FOLDER, "url");
afterAll(() => rmSync(FOLDER, { recursive: true }));
writeFileSync(FILE, `${URL_OF_DATABASE}\n`);

const SOURCES: Readonly<Record<string, HostOptions>> = {
  TUGTALK_DATABASE: { env: { TUGTALK_DATABASE: URL_OF_DATABASE } },
  "--database-file": { args: [`--database-file=${FILE}`] },
};

function linesOf(pid: number, file: "cmdline" | "environ"): string {
  return readFileSync(`/proc/${pid}/${file}`, "latin1").replaceAll("\0", "\n");
}

for (const [source, options] of Object.entries(SOURCES))
  test(`with ${source}, what the host prints, answers and starts does not have the URL`, async () => {
    const host = await startHost({ ...options, hasFile: true });
    const session = await host.createSession({ conversation: ASKING });
    const events = await session.events();
    await session.message("go");
    await events.next("control_request_forward");
    events.close();
    const started = descendantsOf(host.pid);
    expect(started.length).toBeGreaterThanOrEqual(2);
    const seen = [
      linesOf(host.pid, "cmdline"),
      ...started.flatMap((pid) => [linesOf(pid, "cmdline"), linesOf(pid, "environ")]),
      JSON.stringify(session.claudes),
      ...(await answersOf(host)),
    ];
    await host.stop();
    expect([...seen, await host.stderr].filter(hasUrl)).toEqual([]);
  });

function hasUrl(text: string): boolean {
  return text.includes(PASSWORD) || text.includes("TUGTALK_DATABASE") || text.includes("postgres:");
}

async function answersOf(host: Awaited<ReturnType<typeof startHost>>): Promise<readonly string[]> {
  const answers = [
    host.run("sessions"),
    host.run("health"),
    host.run("places"),
    host.run("backup", { file: "/nowhere/backup" }),
  ];
  return (await Promise.all(answers)).map(({ body }) => JSON.stringify(body));
}

const WRONG: Readonly<Record<string, string>> = {
  "no such database": withPassword(hosts.server.urlOf("no_such_database")),
  "a server that does not answer": `postgres://tugtalk:${PASSWORD}@127.0.0.1:1/tugtalk`,
  "a server that has no address": `postgres://tugtalk:${PASSWORD}@nowhere.invalid/tugtalk`,
  "a password with signs that a URL does not have": `postgres://tugtalk:${PASSWORD}%zz[@127.0.0.1/x`,
  "a port that is none": `postgres://tugtalk:${PASSWORD}@127.0.0.1:99999/x`,
  "no scheme": `tugtalk:${PASSWORD}@127.0.0.1/x`,
  "another scheme": `mysql://tugtalk:${PASSWORD}@127.0.0.1/x`,
  "a mode of TLS that is none": `${withPassword(hosts.url)}?sslmode=${PASSWORD}`,
};

for (const [problem, url] of Object.entries(WRONG))
  test(`a host with ${problem} does not start, says so in one line, and shows no URL`, async () => {
    const env = { TUGTALK_DATABASE: url };
    const failure = await startHost({ env, hasFile: true }).catch(String);
    expect(failure).toMatch(/^Error: the host did not start: tugtalk host: [^\n]+\n$/);
    expect(failure).not.toContain(PASSWORD);
    expect(failure).not.toContain("://tugtalk");
  });

test("the database that the URL names counts, whatever a variable of PostgreSQL's programs says", async () => {
  const [one, other] = [
    await hosts.start(),
    await hosts.start({ env: { PGDATABASE: "postgres" } }),
  ];
  const session = await one.createSession();
  expect(await at(other, session).run("session")).toMatchObject({ status: 200 });
});
