/** The line of HOST.md that starts a host on a database, with the address of the test's server. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { codeBlocks, document, section } from "../../../__tests__/support/markdown.ts";
import { killGroup } from "../../../src/base/processes.ts";
import { UNDER_TEST } from "../../../testing/drivers/bridge-process.ts";
import { PostgresServer } from "../../../testing/drivers/postgres-server.ts";
import { Printed } from "../../../testing/drivers/process-output.ts";
import { createAuthority } from "../../../testing/drivers/test-authority.ts";

const { root, certFile, keyFile } = createAuthority("localhost");
const server = await PostgresServer.start([
  "fsync=off",
  "ssl=on",
  `ssl_cert_file=${certFile}`,
  `ssl_key_file=${keyFile}`,
]);
let group: number | undefined;
afterAll(async () => {
  if (group !== undefined) killGroup(group, "SIGKILL");
  await server.stop();
});

test("the line that HOST.md has for a database starts a host, which reaches it over TLS", async () => {
  const [line = ""] = codeBlocks(section(document("tugtalk/HOST.md"), "## Many hosts"), "sh");
  const { host, pathname } = new URL(await server.newDatabase());
  const own = line.replace("db.example/tugtalk", host + pathname);
  expect(own).not.toBe(line);
  const programs = join(root, "bin");
  mkdirSync(programs);
  const shim = `#!/bin/sh\nexec ${UNDER_TEST.map((word) => `'${word}'`).join(" ")} "$@"\n`;
  writeFileSync(join(programs, "tugtalk"), shim, { mode: 0o755 });
  const shell = Bun.spawn(["bash", "-c", own], {
    cwd: root,
    env: { PATH: `${programs}:${process.env["PATH"]}`, HOME: root, TMPDIR: root },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  group = shell.pid;
  await new Printed(shell.stdout).waitFor(/Token for scripts/);
  const sql = new SQL(server.urlOf(pathname.slice(1)), { max: 1 });
  const used = await sql`
    SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
    WHERE datname = ${pathname.slice(1)} AND pid <> pg_backend_pid()`;
  const schemas = await sql`SELECT nspname FROM pg_namespace WHERE nspname = 'tugtalk'`;
  await sql.close();
  expect([[...used], schemas.length]).toEqual([[{ ssl: true }], 1]);
});
