/** The page about one host as a service. Its proxies run in `proxies.browser.ts`. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeBlocks, document, ROOT } from "../../__tests__/support/markdown.ts";
import { parseHostFlags } from "../../host/host-flags.ts";
import { MAX_IDLE_MS } from "../../host/server/proxied-connection.ts";

const PAGE = document("tugtalk/examples/one-host.md");

test.skipIf(Bun.which("systemd-analyze") === null)(
  "the commands put the unit in its place, and systemd knows each of its settings",
  () => {
    const home = mkdtempSync(join(tmpdir(), "one-host-"));
    const project = join(home, "tugtalk");
    mkdirSync(join(project, "node_modules/.bin"), { recursive: true });
    mkdirSync(join(home, "run"));
    symlinkSync(ROOT, join(project, "node_modules/tugtalk"));
    // systemd looks for the program, too.
    symlinkSync(process.execPath, join(project, "node_modules/.bin/tugtalk"));
    const commands = codeBlocks(PAGE, "sh");
    expect(commands).toHaveLength(2);
    const shell = Bun.spawnSync(["bash", "-e", "-c", commands.join("\n")], {
      cwd: project,
      env: { PATH: process.env["PATH"] ?? "", HOME: home, XDG_RUNTIME_DIR: join(home, "run") },
    });
    expect([shell.exitCode, shell.stderr.toString()]).toEqual([0, ""]);
  },
);

/** The flags of the host in a command, as it reads them. */
function flagsOf(text: string) {
  const [, words = ""] = /\btugtalk host (.*)/.exec(text) ?? [];
  const parsed = parseHostFlags(words.split(" "), {}, "/");
  if (!("flags" in parsed)) throw new Error(JSON.stringify(parsed));
  return parsed.flags;
}

test("the unit and the commands of the page start a host as the page says", () => {
  expect(flagsOf(document("tugtalk/examples/one-host/tugtalk.service"))).toMatchObject({
    port: 7717,
    dir: "/%h/projects",
  });
  const [publicly = ""] = PAGE.match(/\btugtalk host -.*/g) ?? [];
  expect(flagsOf(publicly).publicUrls).toEqual([{ name: "box.example", port: 443 }]);
});

test("the command of the page prints the folders of node and claude, for the unit", () => {
  const [, command = ""] = /`(dirname [^`]+)`/.exec(PAGE) ?? [];
  const home = mkdtempSync(join(tmpdir(), "one-host-"));
  const folders = ["node", "claude"].map((name) => {
    const folder = join(home, `of ${name}`);
    mkdirSync(folder);
    symlinkSync(process.execPath, join(folder, name));
    return folder;
  });
  const PATH = [...folders, process.env["PATH"]].join(":");
  for (const shell of ["sh", "bash"]) {
    const { stdout } = Bun.spawnSync([shell, "-c", command], { env: { PATH } });
    expect(stdout.toString().trimEnd().split("\n")).toEqual(folders);
  }
});

test.each(["one-host", "own-page"])(
  "nginx waits for an answer as long as the host does, by the file in %s",
  (folder) => {
    const text = document(`tugtalk/examples/${folder}/nginx.conf`);
    const [, seconds] = /proxy_read_timeout (\d+)s;/.exec(text) ?? [];
    expect(Number(seconds) * 1_000).toBe(MAX_IDLE_MS);
  },
);
