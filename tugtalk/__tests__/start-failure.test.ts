/** Claude cannot be started, or not with this conversation: the words that the host gets. */
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFailure } from "../src/claude/start-failure.ts";
import type { ErrorReason } from "../src/messages/error-message.ts";
import { type Received, startBridge, type TestBridge } from "../testing/drivers/bridge-process.ts";
import { initialize } from "../testing/drivers/bridge-states.ts";
import { claudeThat } from "../testing/drivers/claudes.ts";
import { folder } from "../testing/drivers/written-conversation.ts";
import { observe } from "../testing/observer/observer.ts";

const GONE = "11111111-2222-4333-8444-555555555555";

type Words = readonly [said: string, reason: ErrorReason];

/** What the three versions were recorded to say, on stderr or in the `errors` of a result. */
const RECORDED: readonly Words[] = [
  [`No conversation found with session ID: ${GONE}`, "no_such_session"],
  [
    "Error: --resume requires a valid session ID when used with --print. Usage: claude -p --resume <session-id>. Session IDs must be in UUID format",
    "no_such_session",
  ],
  [
    'Error: --resume requires a valid session ID or session title when used with --print. Usage: claude -p --resume <session-id|title>. Provided value "garbage-id" is not a UUID and does not match any session title.',
    "no_such_session",
  ],
  [`Error: Session ID ${GONE} is already in use.`, "id_in_use"],
  ["error: unknown option '--no-such-flag'", "bad_flag"],
  ["error: unknown option '--include-hook-events'", "bad_flag"],
  [
    "error: option '--permission-mode <mode>' argument 'auto' is invalid. Allowed choices are acceptEdits, bypassPermissions, default, delegate, dontAsk, plan.",
    "bad_flag",
  ],
  ["Error: Invalid session ID. Must be a valid UUID.", "bad_flag"],
  [
    "Error: --session-id can only be used with --continue or --resume if --fork-session is also specified.",
    "bad_flag",
  ],
  ["Error: --session-id with --continue or --resume also needs --fork-session.", "bad_flag"],
  ["Error: --json-schema is not valid JSON: JSON Parse error: Expected '}'", "bad_flag"],
  [
    "Error: Invalid MCP configuration:\nMCP config file not found: /no/such/file.json\n",
    "bad_flag",
  ],
  ["Error: Settings file not found: /no/such/settings.json", "bad_flag"],
  // As the result of a turn: no version was seen to say this before it was ready.
  ["Not logged in · Please run /login", "not_logged_in"],
  ["Invalid API key · Fix external API key", "not_logged_in"],
  // By bash 5.2, as a script that starts the executable has it.
  ["claude: line 2: /opt/claude: cannot execute: required file not found", "wrong_libc"],
];

/** What loaders say by their documentation (made up: no such machine was at hand). */
const MADE_UP: readonly Words[] = [
  ["claude: /lib/libc.so.6: version `GLIBC_2.38' not found (required by claude)", "wrong_libc"],
  [
    "Error loading shared library ld-linux-x86-64.so.2: No such file or directory (needed by claude)",
    "wrong_libc",
  ],
  ["Error relocating /usr/bin/claude: __res_init: symbol not found", "wrong_libc"],
];

describe("the stderr of a Claude that does not start", () => {
  test.each([...RECORDED, ...MADE_UP])("stderr %j has the reason %s", (said, reason) => {
    const failure = startFailure(said, "exit code 1", false);
    expect(failure).toMatchObject({ code: "claude_start_failed", reason });
    expect(failure.message).toContain(said.trim());
  });

  test.each([
    "Configuration error in /home/user/.claude/.claude.json: JSON Parse error: Expected '}'",
    "Error: Failed to start server. Is port 3000 in use?",
    "",
  ])("%j have none", (said) => {
    const failure = startFailure(said, "exit code 1", true);
    expect(failure).toMatchObject({ code: "claude_start_failed", reason: undefined });
  });

  test("stderr about a missing conversation is resume_failed where a resume was requested", () => {
    const said = `No conversation found with session ID: ${GONE}`;
    expect(startFailure(said, "exit code 1", true).code).toBe("resume_failed");
    expect(startFailure("error: unknown option '--x'", "exit code 1", true).code).toBe(
      "claude_start_failed",
    );
  });
});

test("a missing claude executable is one error and exit code 1", async () => {
  const bridge = startBridge({ claude: join(folder, "no-such-claude") });
  bridge.send({ type: "protocol_init", version: 2 });
  bridge.send({ type: "user_message", text: "hello?" });
  expect(await bridge.exited).toBe(1);
  expect(bridge.received.filter(({ type }) => type === "error")).toMatchObject([
    { code: "claude_not_found", recoverable: false },
  ]);
  expect(bridge.received.some(({ type }) => type === "process_started")).toBe(false);
  expectBooksInOrder(bridge);
});

test("the error for a claude that exits at once quotes its stderr", async () => {
  const bridge = startBridge({ claude: claudeThat("says-no") });
  bridge.send({ type: "protocol_init", version: 2 });
  bridge.send({ type: "user_message", text: "hello?" });
  expect(await bridge.exited).toBe(1);
  const [error, ...more] = bridge.received.filter(({ type }) => type === "error");
  expect(error).toMatchObject({ code: "claude_start_failed", recoverable: false });
  expect(error?.["message"]).toContain("the flux is not capacitated");
  expect(more).toEqual([]);
  expect(bridge.received.find(({ type }) => type === "process_exit")).toMatchObject({
    exit_code: 3,
    expected: false,
    will_restart: false,
  });
  expect(bridge.received.some(({ type }) => type === "session_init")).toBe(false);
  expectBooksInOrder(bridge);
});

/** What each version says of a conversation that is not there. */
const VERSIONS = ["2.1.38", "2.1.197", "2.1.330"] as const;

/** Where another folder than that of the tests has the conversation. */
function configDirOfAnother(): string {
  const configDir = mkdtempSync(join(folder, "config-"));
  const other = join(configDir, "projects", "-work-other");
  mkdirSync(other, { recursive: true });
  writeFileSync(join(other, `${GONE}.jsonl`), "");
  return configDir;
}

test.each(VERSIONS)(
  "a conversation of another folder, which %s does not find, is resume_failed",
  async (version) => {
    const env = {
      TUGTALK_SIM_SESSIONS: "",
      TUGTALK_SIM_VERSION: version,
      CLAUDE_CONFIG_DIR: configDirOfAnother(),
    };
    const bridge = startBridge({ env });
    const session = { mode: "resume", session_id: GONE };
    bridge.send({ type: "protocol_init", version: 2, session });
    expect(await bridge.next("error")).toMatchObject({
      code: "resume_failed",
      reason: "no_such_session",
      recoverable: true,
    });
    expect(bridge.received.some(({ type }) => type === "session_init")).toBe(false);

    bridge.send({ type: "session_command", command: "new" });
    expect((await bridge.next("session_init"))["mode"]).toBe("new");
    bridge.send({ type: "user_message", text: "then anew" });
    expect((await bridge.next("turn_complete"))["result"]).toBe("success");
    bridge.closeInput();
    expect(await bridge.exited).toBe(0);
    expectBooksInOrder(bridge);
  },
);

test.each(VERSIONS)(
  "a conversation that was never begun is begun with its id by a resume, as %s",
  async (version) => {
    const CLAUDE_CONFIG_DIR = join(folder, "nothing-here");
    const env = { TUGTALK_SIM_SESSIONS: "", TUGTALK_SIM_VERSION: version, CLAUDE_CONFIG_DIR };
    const bridge = startBridge({ env });
    const session = { mode: "resume", session_id: GONE };
    bridge.send({ type: "protocol_init", version: 2, session });
    bridge.send({ type: "user_message", text: "hello" });
    expect(await bridge.next("protocol_ack")).toMatchObject({ session_id: GONE });
    expect(await bridge.next("process_exit")).toMatchObject({ will_restart: true });
    const { args } = await bridge.next("process_started");
    expect(args).toContain(`--session-id=${GONE}`);
    expect(await bridge.next("session_init")).toMatchObject({ session_id: GONE, mode: "new" });
    expect(await bridge.next("turn_complete")).toMatchObject({ text: "You said: hello" });
    expect(bridge.received.filter(({ type }) => type === "error")).toEqual([]);
    bridge.closeInput();
    expect(await bridge.exited).toBe(0);
    expectBooksInOrder(bridge);
  },
);

test("continue in a folder without conversations is an error", async () => {
  const env = { CLAUDE_CONFIG_DIR: join(folder, "nothing-here") };
  const bridge = startBridge({ env });
  bridge.send({ type: "protocol_init", version: 2, session: { mode: "continue" } });
  expect(await bridge.next("error")).toMatchObject({
    code: "resume_failed",
    reason: "no_such_session",
    recoverable: true,
  });
  expect(bridge.received.some(({ type }) => type === "process_started")).toBe(false);
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  expectBooksInOrder(bridge);
});

test("the error for an id in use has its reason", async () => {
  const bridge = startBridge({ env: { TUGTALK_SIM_SESSIONS: GONE } });
  const session = { mode: "new", session_id: GONE };
  bridge.send({ type: "protocol_init", version: 2, session });
  await expectNoStart(bridge, { reason: "id_in_use" });
});

test("the error for a Claude without a login has its reason", async () => {
  const env = { TUGTALK_WORDS: "Not logged in · Please run /login" };
  const bridge = startBridge({ claude: claudeThat("says-no"), env });
  bridge.send({ type: "protocol_init", version: 2 });
  await expectNoStart(bridge, { reason: "not_logged_in" });
});

test("the error for an unknown flag has its reason", async () => {
  const bridge = startBridge({ env: { TUGTALK_SIM_VERSION: "2.1.38" } });
  bridge.send({ type: "protocol_init", version: 2, options: { hook_events: true } });
  await expectNoStart(bridge, { reason: "bad_flag" });
});

test.each([
  ["not there", join(folder, "nowhere")],
  ["a file", import.meta.path],
])(
  "a folder that is %s is told of, whether a flag or protocol_init names it",
  async (_name, path) => {
    const named = startBridge({ args: [`--dir=${path}`] });
    named.send({ type: "protocol_init", version: 2 });
    await expectNoStart(named, { reason: "missing_directory" });
    const asked = startBridge();
    asked.send({ type: "protocol_init", version: 2, dir: path });
    await expectNoStart(asked, { reason: "missing_directory" });
  },
);

test("a Claude for another C library has an error of its own, though the system reports a missing file", async () => {
  const claude = executable("other-libc", await elfWithLoader("/lib/ld-nowhere.so.1"));
  const bridge = startBridge({ claude });
  bridge.send({ type: "protocol_init", version: 2 });
  await expectNoStart(bridge, { reason: "wrong_libc" });
});

test("a script without its interpreter is not reported as a missing script", async () => {
  const claude = executable("no-interpreter", Buffer.from("#!/no/such/interpreter\n"));
  const bridge = startBridge({ claude });
  bridge.send({ type: "protocol_init", version: 2 });
  const error = await expectNoStart(bridge, {});
  expect(error).not.toHaveProperty("reason");
  expect(error["message"]).toContain("interpreter");
});

test("a Claude whose install script did not run is no program, and the error says what to do", async () => {
  const claude = executable("not-installed", Buffer.from('echo "not installed" >&2\nexit 1\n'));
  const bridge = startBridge({ claude });
  bridge.send({ type: "protocol_init", version: 2 });
  const error = await expectNoStart(bridge, {});
  expect(error["message"]).toContain("node install.cjs");
});

const LONG = "secret ".repeat(30_000);

test.each([
  ["an argument", { json_schema: { title: LONG } }, /--json-schema takes 210026 bytes.* 131071$/],
  ["an entry of env", { env: { KEY: LONG } }, /entry KEY takes 210004 bytes.* 131071$/],
  [
    "all arguments together",
    { allowed_tools: Array.from({ length: 100 }, () => LONG.slice(0, 100_000)) },
    /environment take 100\d{5} bytes together/,
  ],
])(
  "%s that the system does not take is named with the limit, and not repeated",
  async (_name, options, words) => {
    const bridge = startBridge();
    bridge.send({ type: "protocol_init", version: 2, options });
    const error = await expectNoStart(bridge, {});
    expect(error["message"]).toMatch(words);
    expect(error["message"]).not.toContain("secret");
  },
);

test("the error of a Claude that does not start names entries of env and repeats no value", async () => {
  const script = '#!/bin/sh\necho "no proxy: $PROXY, $PROXY_USER, $TRIES" >&2; exit 1\n';
  const bridge = startBridge({ claude: executable("repeats-env", Buffer.from(script)) });
  const env = { PROXY_USER: "user-one", PROXY: "http://user-one:secret@", TRIES: "1" };
  bridge.send({ type: "protocol_init", version: 2, options: { env } });
  const error = await expectNoStart(bridge, {});
  expect(error["message"]).toContain("no proxy: $PROXY, $PROXY_USER, 1");
  expect(JSON.stringify(bridge.received)).not.toContain("secret");
});

test("system prompts of any length are not passed as arguments", async () => {
  const bridge = startBridge();
  const options = { system_prompt: LONG, append_system_prompt: LONG };
  bridge.send({ type: "protocol_init", version: 2, options });
  const { args } = await bridge.next("process_started");
  expect(JSON.stringify(args)).not.toContain("secret");
  await bridge.next("session_init");
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  expectBooksInOrder(bridge);
});

test("a failed resume of a running bridge leaves it running", async () => {
  const env = { TUGTALK_SIM_SESSIONS: "", CLAUDE_CONFIG_DIR: configDirOfAnother() };
  const bridge = startBridge({ env });
  await initialize(bridge);
  bridge.send({ type: "session_command", command: "resume", session_id: GONE, id: "go" });
  expect(await bridge.next("control_result")).toMatchObject({ ok: true, in_reply_to: "go" });
  expect(await bridge.next("error")).toMatchObject({ code: "resume_failed", recoverable: true });
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  expectBooksInOrder(bridge);
});

/** The one error says so, and it is final. */
async function expectNoStart(bridge: TestBridge, fields: object): Promise<Received> {
  const error = await bridge.next("error");
  expect(error).toMatchObject({ code: "claude_start_failed", recoverable: false, ...fields });
  expect(await bridge.exited).toBe(1);
  expect(bridge.received.filter(({ type }) => type === "error")).toHaveLength(1);
  expectBooksInOrder(bridge);
  return error;
}

function executable(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  chmodSync(path, 0o755);
  return path;
}

/** The least that Linux takes for a program of this machine: a header, and the path of its loader. */
async function elfWithLoader(loader: string): Promise<Uint8Array> {
  const [header, entry] = [64, 56];
  const bytes = Buffer.alloc(header + entry + loader.length + 1);
  // The kind of machine is that of the program that runs this test.
  bytes.set(await Bun.file(process.execPath).slice(0, 20).bytes());
  bytes.writeBigUInt64LE(BigInt(header), 32); // Where the table of segments begins …
  bytes.writeUInt16LE(header, 52);
  bytes.writeUInt16LE(entry, 54);
  bytes.writeUInt16LE(1, 56); // … and that it has one entry,
  bytes.writeUInt32LE(3, header); // PT_INTERP,
  bytes.writeBigUInt64LE(BigInt(header + entry), header + 8); // which says where the path is,
  bytes.writeBigUInt64LE(BigInt(loader.length + 1), header + 32); // and how long.
  bytes.write(loader, header + entry);
  return bytes;
}

function expectBooksInOrder(bridge: TestBridge): void {
  expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
}
