/** Secrets stay where they were meant to be: on no command line, in no log, in no file for others. */
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SecretFiles } from "../src/base/private-folders.ts";
import { startBridge, type TestBridge } from "../testing/drivers/bridge-process.ts";

const SECRET = "sk-ant-not-a-real-one-0123456789";

const root = mkdtempSync(join(tmpdir(), "secrets-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const bridges: TestBridge[] = [];
afterEach(() => {
  for (const bridge of bridges.splice(0)) bridge.kill();
});

function start(env: Readonly<Record<string, string>> = {}): TestBridge {
  const bridge = startBridge({ args: ["--log-level=debug"], env });
  bridges.push(bridge);
  return bridge;
}

/** Options with a secret wherever one may be. */
const OPTIONS = {
  env: { ANTHROPIC_API_KEY: SECRET },
  mcp_config: { mcpServers: { a: { command: "x", env: { TOKEN: SECRET } } } },
  settings: { env: { TOKEN: SECRET } },
};

test("no secret of the options or of the environment is on Claude's command line", async () => {
  const bridge = start({ ANTHROPIC_AUTH_TOKEN: SECRET });
  bridge.send({ type: "protocol_init", version: 2, options: OPTIONS });
  const { pid, args } = await bridge.next("process_started");
  await bridge.next("session_init");
  const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8");
  expect(commandLine).toContain("--mcp-config=");
  expect(commandLine).not.toContain(SECRET);
  expect(JSON.stringify(args)).not.toContain(SECRET);
});

/** The files of a session with two options that are secret. */
async function secretPaths(bridge: TestBridge): Promise<readonly string[]> {
  bridge.send({ type: "protocol_init", version: 2, options: OPTIONS });
  const { args } = await bridge.next("process_started");
  await bridge.next("session_init");
  const paths = (args as string[]).flatMap(
    (word) => /^--(?:mcp-config|settings)=(.*)/.exec(word)?.[1] ?? [],
  );
  expect(paths).toHaveLength(2);
  return paths;
}

test("the files with secrets are readable by their owner only and are removed with the bridge", async () => {
  const bridge = start();
  const paths = await secretPaths(bridge);
  for (const path of paths) {
    expect(readFileSync(path, "utf8")).toContain(SECRET);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  }
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  expect(paths.filter((path) => existsSync(path))).toEqual([]);
});

test("the files with secrets of a bridge that was killed are removed by one that starts later", async () => {
  const killed = start();
  const paths = await secretPaths(killed);
  const other = start();
  const kept = await secretPaths(other);
  expect(paths.map((path) => existsSync(path))).toEqual([true, true]);
  killed.kill("SIGKILL");
  await killed.exited;

  const next = start();
  next.send({ type: "protocol_init", version: 2 });
  await next.next("session_init");
  while (paths.some((path) => existsSync(path))) {
    // It removes them shortly after its start.
    next.send({ type: "session_list", dir: "/", limit: 1 });
    await next.next("session_list_result");
  }
  expect(kept.map((path) => existsSync(path))).toEqual([true, true]);
});

test("no log quotes input of the host or of Claude", async () => {
  const bridge = start({ ANTHROPIC_API_KEY: SECRET });
  const lines = [
    `{"type":"protocol_init","version":2,"options":{"${SECRET}":1}}`,
    `{"type":"protocol_init","version":2,"options":{"env":"${SECRET}"}}`,
    '{"type":"protocol_init","version":2}',
    SECRET,
    `{"type":"${SECRET}"}`,
    `{"type":"user_message","text":"${SECRET}","message_id":"${SECRET}"}`,
    `{"type":"control","subtype":"${SECRET}"}`,
    `{"type":"user_message","text":"${SECRET}"}`,
  ];
  for (const line of lines) bridge.sendRaw(`${line}\n`);
  await bridge.next("turn_complete");
  bridge.closeInput();
  await bridge.exited;
  expect(bridge.stderr()).toContain("refused a line of the host: bad_message");
  expect(bridge.stderr()).not.toContain(SECRET);
});

test("a deleted folder of secret files is created again", () => {
  const files = new SecretFiles();
  const path = files.write("a.json", "1");
  rmSync(dirname(path), { recursive: true });
  const again = files.write("a.json", "2");
  expect(readFileSync(again, "utf8")).toBe("2");
  files.remove();
  expect(existsSync(dirname(again))).toBe(false);
});

test("a folder for secret files that is not writable fails the start with a message", async () => {
  const closed = join(root, "closed");
  writeFileSync(closed, "no folder");
  chmodSync(closed, 0o400);
  const bridge = start({ TMPDIR: closed });
  bridge.send({ type: "protocol_init", version: 2, options: OPTIONS });
  expect(await bridge.next("error")).toMatchObject({
    code: "claude_start_failed",
    recoverable: false,
  });
  expect(await bridge.exited).toBe(1);
});
