/** The lines of HOST.md for a place on another machine, with other folders, over a real `ssh`. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../../../package.json" with { type: "json" };
import { codeBlocks, document, section } from "../../../__tests__/support/markdown.ts";
import { runCommand } from "../../../testing/drivers/ended-command.ts";
import { endHosts, startHost, TestHostSession } from "../../../testing/drivers/host-process.ts";
import { setEnvironment } from "../../../testing/drivers/recorded-claudes.ts";
import { type SshServer, startSshServer } from "./support/ssh-server.ts";

const HOST = document("tugtalk/HOST.md");

/** The commands that a block shows as typed. */
function typedIn(heading: string): readonly string[] {
  const [block = ""] = codeBlocks(section(HOST, heading), "console");
  return block.split("\n").flatMap((line) => /^\$ (.*)/.exec(line)?.[1] ?? []);
}

let ssh: SshServer | undefined;
afterAll(async () => {
  await endHosts();
  await ssh?.stop();
});

/**
 * A PATH with an `ssh` that knows the machine. Its `npm` prints its arguments, since no registry is
 * reachable.
 */
function pathTo({ root, prefix }: SshServer): string {
  const near = join(root, "near");
  mkdirSync(near);
  const [, ...flags] = prefix("").slice(0, -1);
  const known = `#!/bin/sh\nexec ${Bun.which("ssh")} ${flags.join(" ")} "$@"\n`;
  writeFileSync(join(near, "ssh"), known, { mode: 0o755 });
  writeFileSync(join(root, "bin", "npm"), '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 });
  return `${near}:${process.env["PATH"]}`;
}

test("the lines of HOST.md for a place reach the machine, and start a session there", async () => {
  ssh = await startSshServer();
  const PATH = pathTo(ssh);
  const [install, version, start = "", create = "", ...others] = typedIn("## Places");
  expect(others).toEqual([]);
  const installed = await runCommand(["bash", "-ec", `${install}\n${version}`], { env: { PATH } });
  const printed = `npm install --global tugtalk\n${packageJson.version}\n`;
  expect(installed).toEqual({ code: 0, out: printed, err: "" });

  const [json = ""] = codeBlocks(section(HOST, "## Places"), "json");
  const file = join(ssh.root, "places.json");
  writeFileSync(file, json);
  expect(start).toBe("tugtalk host --places places.json");
  const host = await startHost({ args: ["--places", file], env: { PATH } });
  const dir = host.newFolder();
  setEnvironment(dir, {});
  const functions = typedIn("## A conversation with curl").filter((line) => line.includes("() {"));
  const written = create.replace("/home/me/project", dir);
  expect(written).not.toBe(create);
  const created = await runCommand(["bash", "-ec", [...functions, written].join("\n")], {
    env: { PATH, URL: host.url, TOKEN: host.token },
  });
  const session = JSON.parse(created.out);
  expect(session).toMatchObject({ place: "build", dir });
  const there = new TestHostSession(host, session.id, dir);
  await there.finishTurn("go");
  const [claude] = there.claudes;
  expect(new Map(claude?.variables).get("HOME")).toBe(join(ssh.root, "home"));
}, 30_000);
