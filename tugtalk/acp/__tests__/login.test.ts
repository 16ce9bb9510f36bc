/** Logins and logouts, with a program in the place of Claude that says how it was started. */
import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AcpAgent } from "../../testing/drivers/acp-agent.ts";
import { UNDER_TEST } from "../../testing/drivers/bridge-process.ts";
import { runCommand } from "../../testing/drivers/ended-command.ts";

function program(script: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "login-")), "claude");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test("--login runs Claude's own login in this terminal, and ends as that does", async () => {
  const claude = program('echo "$@"; exit 3');
  const command = [...UNDER_TEST, "acp", `--claude=${claude}`, "--login"];
  expect(await runCommand(command)).toMatchObject({ code: 3, out: "auth login\n" });
});

test("only a client that can show a terminal is offered the login, older ones with the whole command", async () => {
  const agent = new AcpAgent({ claude: program("echo no; exit 1") });
  const { result } = await agent.initialize({ auth: { terminal: true } });
  const [method] = Object(result)["authMethods"];
  expect(method).toMatchObject({ type: "terminal", args: ["--login"] });
  const { command, args } = method._meta["terminal-auth"];
  expect([command, ...args]).toEqual([...UNDER_TEST, "acp", "--login"]);
  expect(await agent.ask("logout", {})).toMatchObject({ error: { code: -32603 } });
  await agent.end();

  const other = new AcpAgent({ claude: program('test "$*" = "auth logout"') });
  expect(await other.initialize()).toMatchObject({ result: { authMethods: [] } });
  expect(await other.ask("logout", {})).toMatchObject({ result: {} });
  await other.end();
});
