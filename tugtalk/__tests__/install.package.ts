/** The package, packed and installed on a machine with Node and npm only. */
import { afterEach, beforeAll, expect, test } from "bun:test";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { descendantsOf, leftAfter, signalIfRunning } from "../testing/drivers/processes.ts";
import { addTypeScript, BINARY, NodeOnlyMachine } from "./support/node-only.ts";
import {
  PLAIN_HOST,
  PLAIN_HOST_PRINTS,
  TYPED_HOST,
  TYPED_HOST_PRINTS,
  WAITING_HOST,
} from "./support/package-hosts.ts";

const machine = new NodeOnlyMachine();
/** Where install scripts ran, and where they were off. */
let folder = "";
let bare = "";

const INSTALL_LIMIT_MS = 300_000;
beforeAll(async () => {
  const tarball = await machine.pack();
  folder = await machine.install(tarball, "with-scripts", true);
  bare = await machine.install(tarball, "without-scripts", false);
}, INSTALL_LIMIT_MS);

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const SCENES = ["with install scripts", "without install scripts"] as const;
const folderOf = (scene: string) => (scene === SCENES[0] ? folder : bare);

test("the package has no tests, and is smaller than 2.8 MB and 250 files", () => {
  const root = join(folder, "node_modules/tugtalk");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((name) => ({ name, stat: statSync(join(root, name)) }))
    .filter(({ stat }) => stat.isFile());
  const names = files.map(({ name }) => name);
  expect(names.filter((name) => /test|capture|fixture|\.jsc$/.test(name))).toEqual([]);
  expect(names).toContain("tugtalk/PROTOCOL.md");
  expect(names).toContain("tugtalk/protocol/README.md");
  expect(names).toContain("tugtalk/HOST.md");
  expect(names.length).toBeLessThan(250);
  expect(files.reduce((sum, { stat }) => sum + stat.size, 0)).toBeLessThan(2_800_000);
});

test("the install scripts of Bun ran in one installation and not in the other", () => {
  const sizeOf = (root: string) => statSync(join(root, "node_modules/bun/bin/bun.exe")).size;
  expect(sizeOf(folder)).toBeGreaterThan(1_000_000);
  expect(sizeOf(bare)).toBeLessThan(10_000);
});

test.each([...SCENES])("npx tugtalk --version prints the version %s", async (scene) => {
  const { version } = JSON.parse(
    readFileSync(join(folder, "node_modules/tugtalk/package.json"), "utf8"),
  );
  const printed = await machine.run(folderOf(scene), "npx", "tugtalk", "--version");
  expect(printed).toMatchObject({ stdout: `${version}\n`, code: 0 });
});

test("the launcher has the exit code of the program", async () => {
  const refused = await machine.run(folder, "npx", "tugtalk", "--dirr");
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("Unknown option '--dirr'");
});

const linesOf = (text: string) => text.trimEnd().split("\n");
const launcherOf = (root: string) => join(root, "node_modules/.bin/tugtalk");

const INIT = '{"type":"protocol_init","version":2}\n';

/** `tugtalk simulate` through the launcher, with its bridge and its Claude. */
async function launch() {
  const input = openInput();
  const launcher = Bun.spawn([launcherOf(folder), "simulate"], {
    stdio: [input, "pipe", "inherit"],
    cwd: folder,
    env: machine.env,
  });
  stops.push(() => launcher.kill("SIGKILL"));
  writeSync(input, INIT);
  const output = await readUntil(launcher.stdout, '"session_init"');
  expect(output).toContain('"protocol_ack"');
  const pids = descendantsOf(launcher.pid);
  stops.push(() => {
    for (const pid of pids) signalIfRunning(pid, "SIGKILL");
  });
  expect(pids).toHaveLength(2);
  return { launcher, pids };
}

/**
 * The input of a program as its host holds it: open until the test closes it, also after the end of the
 * program.
 */
function openInput(): number {
  const path = join(mkdtempSync(join(tmpdir(), "tugtalk-input-")), "pipe");
  Bun.spawnSync(["mkfifo", path]);
  const input = openSync(path, "r+");
  stops.push(() => closeSync(input));
  return input;
}

async function readUntil(stream: ReadableStream<Uint8Array>, wanted: string): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes(wanted)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the output ended without ${wanted}: ${text}`);
    text += decoder.decode(value, { stream: true });
  }
  reader.releaseLock();
  return text;
}

/** How long the processes of a bridge may take to end: longer than its shutdown. */
const END_LIMIT_MS = 15_000;

test("SIGTERM to the launcher ends the program and leaves nothing behind", async () => {
  const { launcher, pids } = await launch();
  launcher.kill("SIGTERM");
  expect(await launcher.exited).toBe(0);
  expect(launcher.signalCode).toBeNull();
  expect(await leftAfter(pids, 0)).toEqual([]);
});

test("SIGKILL to the launcher leaves nothing behind, although its input stays open", async () => {
  const { launcher, pids } = await launch();
  launcher.kill("SIGKILL");
  await launcher.exited;
  expect(await leftAfter(pids, END_LIMIT_MS)).toEqual([]);
});

test("a program that dies by a signal makes the launcher die by the same one", async () => {
  const { launcher, pids } = await launch();
  process.kill(pids[0] ?? 0, "SIGKILL");
  await launcher.exited;
  expect(launcher.signalCode).toBe("SIGKILL");
  expect(await leftAfter(pids, END_LIMIT_MS)).toEqual([]);
});

test("settings of Bun in the folder of the user do not reach the program", async () => {
  writeFileSync(join(folder, ".env"), "TUGTALK_CLAUDE=/from/env/file\n");
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(folder, "preload.ts"), 'console.log("preloaded");\n');
  writeFileSync(
    join(folder, "tsconfig.json"),
    '{"compilerOptions":{"paths":{"*/cli.js":["./preload.ts"]}}}',
  );
  const printed = await machine.run(folder, "npx", "tugtalk", "doctor");
  expect(printed.stdout).not.toContain("preloaded");
  expect(printed.stdout + printed.stderr).not.toContain("/from/env/file");
  for (const name of [".env", "bunfig.toml", "preload.ts", "tsconfig.json"])
    rmSync(join(folder, name));
});

const bunOf = (root: string) => join(root, "node_modules/bun/bin/bun.exe");

test.each([...SCENES])("a host in plain JavaScript runs on Node %s", async (scene) => {
  const root = folderOf(scene);
  writeFileSync(join(root, "host.mjs"), PLAIN_HOST);
  const { stdout, stderr, code } = await machine.run(root, "node", "host.mjs");
  expect({ printed: linesOf(stdout), stderr, code }).toEqual({
    printed: PLAIN_HOST_PRINTS,
    stderr: "",
    code: 0,
  });
});

test("the same host runs on Bun", async () => {
  writeFileSync(join(folder, "host.mjs"), PLAIN_HOST);
  const { stdout, exitCode } = Bun.spawnSync([bunOf(folder), "--config=/dev/null", "host.mjs"], {
    cwd: folder,
    env: machine.env,
  });
  expect({ printed: linesOf(stdout.toString()), exitCode }).toEqual({
    printed: PLAIN_HOST_PRINTS,
    exitCode: 0,
  });
});

test("a host on Node that is killed leaves nothing behind", async () => {
  writeFileSync(join(folder, "waiting.mjs"), WAITING_HOST);
  const host = Bun.spawn([join(machine.env["PATH"] ?? "", "node"), "waiting.mjs"], {
    stdio: ["ignore", "pipe", "inherit"],
    cwd: folder,
    env: machine.env,
  });
  stops.push(() => host.kill("SIGKILL"));
  const pids = (await readUntil(host.stdout, "\n")).trim().split(" ").map(Number);
  expect(pids).toHaveLength(2);
  host.kill("SIGKILL");
  await host.exited;
  expect(await leftAfter(pids, END_LIMIT_MS)).toEqual([]);
});

const RESOLUTIONS = [
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
] as const;

test.each([...RESOLUTIONS])(
  "a strict host in TypeScript compiles as module %s with the resolution %s, and runs on Node and Bun",
  async (module, moduleResolution) => {
    writeFileSync(join(folder, "typed.ts"), TYPED_HOST);
    const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
    const compilerOptions = {
      ...strict,
      target: "es2022",
      module,
      moduleResolution,
      types: ["node"],
    };
    const config = { compilerOptions, files: ["typed.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiled = await machine.run(folder, "node", tsc(), "-p", ".");
    expect(compiled).toEqual({ stdout: "", stderr: "", code: 0 });
    const onNode = await machine.run(folder, "node", "typed.js");
    expect(onNode).toMatchObject({ stderr: "", code: 0 });
    expect(linesOf(onNode.stdout)).toEqual(TYPED_HOST_PRINTS);
    const onBun = Bun.spawnSync([bunOf(folder), "--config=/dev/null", "typed.ts"], {
      cwd: folder,
      env: machine.env,
    });
    expect(linesOf(onBun.stdout.toString())).toEqual(TYPED_HOST_PRINTS);
  },
);

let compiler: string | undefined;
function tsc(): string {
  compiler ??= addTypeScript(folder);
  return compiler;
}

test("the built client imports nothing, and the built spawn kit only modules of Node", () => {
  const importsOf = (name: string) => {
    const text = readFileSync(join(folder, "node_modules/tugtalk/dist", name), "utf8");
    return new Bun.Transpiler({ loader: "js" }).scanImports(text).map(({ path }) => path);
  };
  expect(importsOf("client.js")).toEqual([]);
  const used = importsOf("spawn.js");
  expect(used).toContain("node:child_process");
  expect(used.filter((path) => !path.startsWith("node:"))).toEqual([]);
});

test("without Bun the launcher says in one line what to install, or starts the binary", async () => {
  renameSync(join(bare, "node_modules/bun"), join(bare, "node_modules/no-bun"));
  const words = ["node", "node_modules/.bin/tugtalk", "--version"];
  expect(await machine.run(bare, ...words)).toEqual({
    stdout: "",
    stderr: "tugtalk: Bun is missing: run npm install bun\n",
    code: 1,
  });
  symlinkSync(BINARY, join(bare, "node_modules/tugtalk/dist/tugtalk"));
  expect(await machine.run(bare, ...words)).toMatchObject({ stderr: "", code: 0 });
});
