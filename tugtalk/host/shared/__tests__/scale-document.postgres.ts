/**
 * The lines of roadmap/scale.md as they are written there, but for names, ports and paths of this machine.
 */
import { afterAll, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeBlocks, document, ROOT, section } from "../../../__tests__/support/markdown.ts";
import { killGroup } from "../../../src/base/processes.ts";
import { UNDER_TEST } from "../../../testing/drivers/bridge-process.ts";
import { startNginx } from "../../../testing/drivers/nginx.ts";
import { freePort, PostgresServer } from "../../../testing/drivers/postgres-server.ts";
import { Printed } from "../../../testing/drivers/process-output.ts";

const SCALE = document("roadmap/scale.md");
const [, DATABASE = "", HOSTS = "", FRONT = "", LINK = "", LOST = ""] = codeBlocks(
  section(SCALE, "## Set up many hosts").split("\n### ")[0] ?? "",
  "sh",
);
const [BACKUP = "", RESTORE = ""] = codeBlocks(section(SCALE, "## Run many hosts"), "sh");

const server = await PostgresServer.start();
const home = mkdtempSync(join(tmpdir(), "scale-"));
const ports = ["7717", "7718", "7719"].map((written) => ({ written, own: String(freePort()) }));
const front = freePort();

/** The server of the test has a superuser called tugtalk. */
const OWN: readonly (readonly [written: string, own: string])[] = [
  ["ROLE tugtalk", "ROLE team"],
  ["--owner=tugtalk", "--owner=team"],
  ["//tugtalk:secret@127.0.0.1/", `//team:secret@127.0.0.1:${server.port}/`],
  ["/etc/", `${home}/etc/`],
  ["/var/log/nginx/", `${home}/`],
  ["listen 443", `listen 127.0.0.1:${front}`],
  ...ports.map(({ written, own }) => [written, own] as const),
];
const withOwn = (text: string) =>
  OWN.reduce((changed, [written, other]) => changed.replaceAll(written, other), text);

const programs = join(home, "bin");
mkdirSync(programs);
const quoted = UNDER_TEST.map((word) => `'${word}'`).join(" ");
const shims = {
  sudo: 'if [ "$1" = -u ]; then shift 2; fi; PGDATABASE=postgres exec "$@"',
  tugtalk: `exec ${quoted} "$@"`,
  // The test starts an nginx of its own.
  nginx: "exit 0",
};
for (const [name, line] of Object.entries(shims))
  writeFileSync(join(programs, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });

const environment = {
  HOME: home,
  PATH: `${programs}:${process.env["PATH"]}`,
  TMPDIR: home,
  PGHOST: "127.0.0.1",
  PGPORT: String(server.port),
  PGUSER: "tugtalk",
};

/** The process groups of the shells and all processes that they have started. */
const groups = new Set<number>();

let hosts: ReturnType<typeof start> | undefined;

/** Starts the lines in a shell, which ends at the first failing line. */
function start(lines: string) {
  const shell = Bun.spawn(["bash", "-e", "-c", withOwn(lines)], {
    cwd: home,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  groups.add(shell.pid);
  return shell;
}

/** Runs the lines, and gives their output. */
async function run(lines: string): Promise<string> {
  const shell = start(lines);
  const [printed, problems] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
  ]);
  expect({ lines, code: await shell.exited, problems }).toMatchObject({ lines, code: 0 });
  return printed;
}

const [EXPORT = ""] = HOSTS.split("\n");
const dataOf = (port: string) => join(home, ".local/state/tugtalk", port);

/** The processes that the lines have started. */
function pids(): readonly number[] {
  return ports
    .map(({ own }) => join(dataOf(own), "host.json"))
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, "utf8")).pid);
}

let endNginx = async () => {};
afterAll(async () => {
  await endNginx();
  for (const group of groups) killGroup(group, "SIGKILL");
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

/** A request as nginx passes it on. */
function visit(port: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    redirect: "manual",
    headers: { host: "box.example", ...headers },
  });
}

async function command(port: string, method: string, path: string, body?: object) {
  const token = readFileSync(join(dataOf(port), "token"), "utf8").trim();
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

test("the lines make a database and three hosts, the link of one of which is good at another", async () => {
  await run(DATABASE);
  const shell = start(`${HOSTS}wait`);
  for (const { own } of ports) await untilReady(own, shell);
  const link = new URL((await run(LINK)).trim());
  expect(link.origin).toBe("https://box.example");
  expect((await visit(ports[1]?.own ?? "", `/${link.search}`)).status).toBe(303);
});

test("the lines for nginx make a certificate and files by which it serves the hosts", async () => {
  const folder = join(home, "etc/nginx/conf.d");
  for (const path of [folder, join(home, "etc/ssl")]) mkdirSync(path, { recursive: true });
  symlinkSync(join(ROOT, "tugtalk"), join(home, "tugtalk"));
  await run(FRONT);
  expect(readFileSync(join(home, "etc/hosts"), "utf8")).toBe("127.0.0.1 box.example\n");
  const names = readdirSync(folder);
  expect(names.sort()).toEqual(["tugtalk-hosts.conf", "tugtalk.conf"]);
  const served = names.map((name) => withOwn(readFileSync(join(folder, name), "utf8")));
  endNginx = await startNginx(join(home, "nginx"), served.join("\n"));
  const found = `--cacert box.example.pem --resolve box.example:${front}:127.0.0.1`;
  const answer = await run(
    `cd etc/ssl; curl --silent --write-out '%{http_code}' ${found} https://box.example:${front}/api/ready`,
  );
  expect(answer).toBe("200");
});

test("the lines for a backup bring back a session that was deleted since, once all hosts have ended", async () => {
  const [one, other] = ports.map(({ own }) => own) as [string, string];
  const created = await command(one, "POST", "/api/sessions", { place: "simulator" });
  const { id, cursor } = created.body;
  expect({ status: created.status, cursor }).toMatchObject({ status: 201 });
  await run(`${EXPORT}\n${BACKUP}`);
  const before = await command(other, "GET", `/api/sessions/${id}/snapshot`);
  expect((await command(other, "DELETE", `/api/sessions/${id}`)).status).toBe(200);
  await run(
    `kill ${pids().join(" ")}; while kill -0 ${pids().join(" ")} 2>/dev/null; do sleep 0.1; done`,
  );
  await run(`${EXPORT}\n${RESTORE}`);
  expect(await run(`${EXPORT}\ntugtalk host sessions --json`)).toContain(id);
  hosts = start(`${HOSTS}until [ -e go ]; do sleep 0.1; done\n${LOST}wait`);
  // The next lines end at a host that does not answer.
  for (const { own } of ports) await untilReady(own, hosts);
  const after = await command(one, "GET", `/api/sessions/${id}/snapshot`);
  expect(after.body.cursor.epoch).toBeGreaterThan(before.body.cursor.epoch);
  // The hosts hold only the session of the next test.
  expect((await command(one, "DELETE", `/api/sessions/${id}`)).status).toBe(200);
});

test("the lines that kill a host first show its session, which another host then takes", async () => {
  const [one, ...others] = ports.map(({ own }) => own) as [string, string, string];
  const created = await command(one, "POST", "/api/sessions", { place: "simulator" });
  expect(created.status).toBe(201);
  writeFileSync(join(home, "go"), "");
  if (hosts === undefined) throw new Error("no hosts run");
  await new Printed(hosts.stdout).waitFor(/^tugtalk_held_sessions 1$/m);
  await new Printed(hosts.stderr).waitFor(/ Killed /);
  const path = `/api/sessions/${created.body.id}/message`;
  const { status } = await command(others[0], "POST", path, { message: "Are you there?" });
  expect(status).toBe(200);
});

/** Rejects with the shell's errors if the shell of the hosts has ended. */
async function untilReady(port: string, shell: ReturnType<typeof start>): Promise<void> {
  for (;;) {
    if (shell.exitCode !== null) throw new Error(await new Response(shell.stderr).text());
    const answer = await visit(port, "/api/ready").catch(() => undefined);
    if (answer?.status === 200) return;
    await Bun.sleep(50);
  }
}
