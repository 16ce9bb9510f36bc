/** The search for Bun. Any program in the place of tugtalk is started once, and never starts itself again. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runCommand } from "../../testing/drivers/ended-command.ts";
import { installedBun } from "../program.ts";

const SPAWN_FOLDER = join(import.meta.dir, "..");

/** Counts its starts in the given file, and starts no more than three processes. */
const HOST = `
import { appendFileSync, readFileSync } from "node:fs";
import { spawnTugtalk } from ${JSON.stringify(join(SPAWN_FOLDER, "spawn.ts"))};
const starts = process.env["STARTS"];
appendFileSync(starts, "x");
if (readFileSync(starts, "utf8").length > 3) process.exit(1);
await spawnTugtalk().catch((error) => console.log(error.message));
`;

function run(command: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return runCommand(command, { env: { ...process.env, ...env } });
}

test("a host whose bundle has the name of our program does not start itself", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tugtalk-bundled-host-"));
  const source = join(folder, "host.ts");
  writeFileSync(source, HOST);
  await Bun.build({ entrypoints: [source], target: "node", outdir: folder, naming: "cli.js" });
  const starts = join(folder, "starts");
  const { out } = await run([process.execPath, join(folder, "cli.js")], { STARTS: starts });
  expect(out).toBe("the package tugtalk is missing: run npm install tugtalk\n");
  expect(readFileSync(starts, "utf8")).toBe("x");
});

test("a launcher that was started as the program starts nothing", async () => {
  const launcher = join(SPAWN_FOLDER, "launcher.ts");
  const { out, err, code } = await run([process.execPath, launcher], {
    TUGTALK_STARTED: "1",
  });
  expect({ out, code }).toEqual({ out: "", code: 1 });
  expect(err).toBe(
    `tugtalk: ${launcher} was started in place of tugtalk, and would start itself\n`,
  );
});

test("Claude's own programs may start a tugtalk, and applications in Electron", async () => {
  const launcher = join(SPAWN_FOLDER, "launcher.ts");
  const claude = join(mkdtempSync(join(tmpdir(), "tugtalk-claude-")), "claude");
  writeFileSync(
    claude,
    `#!/bin/sh\necho "mark: $TUGTALK_STARTED$ELECTRON_RUN_AS_NODE." >&2; exit 3\n`,
    { mode: 0o755 },
  );
  const command = `echo '{"type":"protocol_init","version":2}' | "$0" "$1" --claude="$2"`;
  const { out } = await run(["sh", "-c", command, process.execPath, launcher, claude], {
    ELECTRON_RUN_AS_NODE: "1",
  });
  expect(out).toContain("mark: .");
});

test("a person who starts the command in a terminal gets an explanation and a next step", async () => {
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

/** Puts a package with this manifest and a `bin/bun` of this size into a folder of modules. */
function place(modules: string, name: string, manifest: object, bytes: number): string {
  const bin = join(modules, name, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(modules, name, "package.json"), JSON.stringify(manifest));
  for (const file of ["bun", "bun.exe"]) writeFileSync(join(bin, file), Buffer.alloc(bytes));
  return bin;
}

test("without install scripts Bun comes from the package for this machine, whatever else is installed", () => {
  const modules = join(mkdtempSync(join(tmpdir(), "tugtalk-modules-")), "node_modules");
  const require = createRequire(join(modules, "host.js"));
  const { platform, arch } = process;
  const names = ["not-installed", "elsewhere", "other-arch", "other-libc", "fits"];
  const optionalDependencies = Object.fromEntries(names.map((name) => [name, "1"]));
  place(modules, "bun", { optionalDependencies }, 500);
  place(modules, "elsewhere", { os: ["plan9"], cpu: [arch] }, 2_000_000);
  place(modules, "other-arch", { os: [platform], cpu: ["pdp11"] }, 2_000_000);
  place(modules, "other-libc", { os: [platform], cpu: [arch], libc: ["newlib"] }, 2_000_000);
  const bin = place(modules, "fits", { os: [platform], cpu: [arch] }, 2_000_000);
  expect(dirname(installedBun(require) ?? "")).toBe(bin);
});
