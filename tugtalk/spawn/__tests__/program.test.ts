/** Whatever is started in place of tugtalk, it is started once and never by itself again. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SPAWN_FOLDER = join(import.meta.dir, "..");

/** Counts its starts in the file that it is given, and starts no more than three. */
const HOST = `
import { appendFileSync, readFileSync } from "node:fs";
import { spawnTugtalk } from ${JSON.stringify(join(SPAWN_FOLDER, "spawn.ts"))};
const starts = process.env["STARTS"];
appendFileSync(starts, "x");
if (readFileSync(starts, "utf8").length > 3) process.exit(1);
await spawnTugtalk().catch((error) => console.log(error.message));
`;

async function run(command: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = Bun.spawn([...command], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { stdout, stderr, code: await child.exited };
}

test("a host whose bundle has the name of our program does not start itself", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tugtalk-bundled-host-"));
  const source = join(folder, "host.ts");
  writeFileSync(source, HOST);
  await Bun.build({ entrypoints: [source], target: "node", outdir: folder, naming: "cli.js" });
  const starts = join(folder, "starts");
  const { stdout } = await run([process.execPath, join(folder, "cli.js")], { STARTS: starts });
  expect(stdout).toBe("the package tugtalk is missing: run npm install tugtalk\n");
  expect(readFileSync(starts, "utf8")).toBe("x");
});

test("a launcher that was started as the program starts nothing", async () => {
  const launcher = join(SPAWN_FOLDER, "launcher.ts");
  const { stdout, stderr, code } = await run([process.execPath, launcher], {
    TUGTALK_STARTED: "1",
  });
  expect({ stdout, code }).toEqual({ stdout: "", code: 1 });
  expect(stderr).toBe(
    `tugtalk: ${launcher} was started in place of tugtalk, and would start itself\n`,
  );
});

test("Claude's own programs may start a tugtalk", async () => {
  const launcher = join(SPAWN_FOLDER, "launcher.ts");
  const claude = join(mkdtempSync(join(tmpdir(), "tugtalk-claude-")), "claude");
  writeFileSync(claude, `#!/bin/sh\necho "mark: $TUGTALK_STARTED." >&2; exit 3\n`, { mode: 0o755 });
  const command = `echo '{"type":"protocol_init","version":2}' | "$0" "$1" --claude="$2"`;
  const { stdout } = await run(["sh", "-c", command, process.execPath, launcher, claude]);
  expect(stdout).toContain("mark: .");
});

test("a person who starts the command in a terminal is told what it is and what to do", async () => {
  const hint = "To talk with Claude Code in a browser instead: tugtalk host";
  let shown = "";
  const child = Bun.spawn([process.execPath, join(SPAWN_FOLDER, "launcher.ts")], {
    terminal: {
      data: (terminal, chunk) => {
        shown += new TextDecoder().decode(chunk);
        if (shown.includes(hint)) terminal.write("\x04");
      },
    },
  });
  expect(await child.exited).toBe(0);
  expect(shown).toStartWith("tugtalk: a bridge between a host and Claude Code, ");
});
