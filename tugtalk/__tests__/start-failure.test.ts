/** Claude cannot be started, or not with this conversation: the words that the host gets. */
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFailure } from "../src/claude/start-failure.ts";
import type { ErrorReason } from "../src/messages/error-message.ts";
import { type BridgeOptions, startBridge } from "../testing/drivers/bridge-process.ts";
import { initialize } from "../testing/drivers/bridge-states.ts";
import { claudeThat } from "../testing/drivers/claudes.ts";
import { endCleanly } from "../testing/drivers/clean-end.ts";
import { folder } from "../testing/drivers/written-conversation.ts";
import { observe } from "../testing/observer/observer.ts";

const GONE = "11111111-2222-4333-8444-555555555555";

type Words = readonly [said: string, reason: ErrorReason];

/** Recorded words of the three versions, on stderr or in the `errors` of a result. */
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

/** Words of loaders, made up by their documentation. */
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

function executable(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

/** The least that Linux takes for a program of this machine: a header, and the path of its loader. */
async function elfWithLoader(loader: string): Promise<Uint8Array> {
  const [header, entry] = [64, 56];
  const bytes = Buffer.alloc(header + entry + loader.length + 1);
  // The kind of machine is the one of the program that runs this test.
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

const LONG = "secret ".repeat(30_000);
const SAYS_NO = claudeThat("says-no");
const REPEATS = '#!/bin/sh\necho "no proxy: $PROXY, $PROXY_USER, $TRIES" >&2; exit 1\n';

type Row = {
  readonly bridge?: BridgeOptions;
  /** Of `protocol_init`. */
  readonly init?: object;
  readonly error?: { readonly code?: string; readonly reason?: ErrorReason };
  readonly message?: RegExp;
};

/** Errors that fail a start for good. No message repeats a secret. */
const ROWS: Readonly<Record<string, Row>> = {
  "a missing executable": {
    bridge: { claude: join(folder, "no-such-claude") },
    error: { code: "claude_not_found" },
  },
  "a claude that exits at once": {
    bridge: { claude: SAYS_NO },
    message: /flux is not capacitated/,
  },
  "an id that is in use": {
    bridge: { env: { TUGTALK_SIM_SESSIONS: GONE } },
    init: { session: { mode: "new", session_id: GONE } },
    error: { reason: "id_in_use" },
  },
  "an unknown flag": {
    bridge: {
      claude: SAYS_NO,
      env: { TUGTALK_WORDS: "error: unknown option '--include-hook-events'" },
    },
    init: { options: { hook_events: true } },
    error: { reason: "bad_flag" },
  },
  "a missing folder of a flag": {
    bridge: { args: [`--dir=${join(folder, "nowhere")}`] },
    error: { reason: "missing_directory" },
  },
  "a file for a folder": {
    init: { dir: import.meta.path },
    error: { reason: "missing_directory" },
  },
  "a claude for another C library, though the system reports a missing file": {
    bridge: { claude: executable("other-libc", await elfWithLoader("/lib/ld-nowhere.so.1")) },
    error: { reason: "wrong_libc" },
  },
  "a script without its interpreter": {
    bridge: { claude: executable("no-interpreter", "#!/no/such/interpreter\n") },
    message: /interpreter/,
  },
  "a claude whose install script did not run": {
    bridge: { claude: executable("not-installed", 'echo "not installed" >&2\nexit 1\n') },
    message: /node install\.cjs/,
  },
  "an argument that is too long": {
    init: { options: { json_schema: { title: LONG } } },
    message: /--json-schema takes 210026 bytes.* 131071$/,
  },
  "an entry of env that is too long": {
    init: { options: { env: { KEY: LONG } } },
    message: /entry KEY takes 210004 bytes.* 131071$/,
  },
  "arguments that are too long together": {
    init: {
      options: { allowed_tools: Array.from({ length: 100 }, () => LONG.slice(0, 100_000)) },
    },
    message: /environment take 100\d{5} bytes together/,
  },
  "a claude that repeats entries of env": {
    bridge: { claude: executable("repeats-env", REPEATS) },
    init: {
      options: { env: { PROXY_USER: "user-one", PROXY: "http://user-one:secret@", TRIES: "1" } },
    },
    message: /no proxy: \$PROXY, \$PROXY_USER, 1/,
  },
};

test.each(Object.entries(ROWS))("%s fails the start with one error", async (_name, row) => {
  const { error = {}, message = /./ } = row;
  const bridge = startBridge(row.bridge);
  bridge.send({ type: "protocol_init", version: 2, ...row.init });
  bridge.send({ type: "user_message", text: "hello?", id: "hello" });
  const found = await bridge.next("error");
  const { reason } = error;
  expect(found).toMatchObject({ code: "claude_start_failed", recoverable: false, ...error });
  expect(found["reason"]).toBe(reason);
  expect(found["message"]).toMatch(message);
  expect(await bridge.exited).toBe(1);
  // A message that comes too late has one of its own.
  const errors = bridge.received.filter(
    ({ type, in_reply_to }) => type === "error" && in_reply_to !== "hello",
  );
  expect(errors).toHaveLength(1);
  expect(bridge.received.map(({ type }) => type)).not.toContain("session_init");
  expect(JSON.stringify(bridge.received)).not.toContain("secret");
  const exits = bridge.received.filter(({ type }) => type === "process_exit");
  for (const exit of exits) expect(exit).toMatchObject({ expected: false, will_restart: false });
  expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
});

test("system prompts of any length are not passed as arguments", async () => {
  const bridge = startBridge();
  const options = { system_prompt: LONG, append_system_prompt: LONG };
  bridge.send({ type: "protocol_init", version: 2, options });
  const { args } = await bridge.next("process_started");
  expect(JSON.stringify(args)).not.toContain("secret");
  await bridge.next("session_init");
  await endCleanly(bridge);
});

const NO_SUCH_SESSION = { code: "resume_failed", reason: "no_such_session", recoverable: true };
const NOTHING_HERE = { CLAUDE_CONFIG_DIR: join(folder, "nothing-here") };
const RESUME = { mode: "resume", session_id: GONE };

/** A configuration folder in which another project folder has the conversation. */
function configDirOfAnother(): string {
  const configDir = mkdtempSync(join(folder, "config-"));
  const other = join(configDir, "projects", "-work-other");
  mkdirSync(other, { recursive: true });
  writeFileSync(join(other, `${GONE}.jsonl`), "");
  return configDir;
}

describe("a resume that finds nothing", () => {
  const none = { TUGTALK_SIM_SESSIONS: "" };

  test("as another folder has the conversation is resume_failed", async () => {
    const bridge = startBridge({ env: { ...none, CLAUDE_CONFIG_DIR: configDirOfAnother() } });
    bridge.send({ type: "protocol_init", version: 2, session: RESUME });
    expect(await bridge.next("error")).toMatchObject(NO_SUCH_SESSION);
    expect(bridge.received.some(({ type }) => type === "session_init")).toBe(false);
    bridge.send({ type: "session_command", command: "new" });
    expect((await bridge.next("session_init"))["mode"]).toBe("new");
    bridge.send({ type: "user_message", text: "then anew" });
    expect((await bridge.next("turn_complete"))["result"]).toBe("success");
    await endCleanly(bridge);
  });

  test("as the conversation was never begun begins one with its id", async () => {
    const bridge = startBridge({ env: { ...none, ...NOTHING_HERE } });
    bridge.send({ type: "protocol_init", version: 2, session: RESUME });
    bridge.send({ type: "user_message", text: "hello" });
    expect(await bridge.next("protocol_ack")).toMatchObject({ session_id: GONE });
    expect(await bridge.next("process_exit")).toMatchObject({ will_restart: true });
    const { args } = await bridge.next("process_started");
    expect(args).toContain(`--session-id=${GONE}`);
    expect(await bridge.next("session_init")).toMatchObject({ session_id: GONE, mode: "new" });
    expect(await bridge.next("turn_complete")).toMatchObject({ text: "You said: hello" });
    expect(bridge.received.filter(({ type }) => type === "error")).toEqual([]);
    await endCleanly(bridge);
  });
});

test("continue in a folder without conversations is an error", async () => {
  const bridge = startBridge({ env: NOTHING_HERE });
  bridge.send({ type: "protocol_init", version: 2, session: { mode: "continue" } });
  expect(await bridge.next("error")).toMatchObject(NO_SUCH_SESSION);
  expect(bridge.received.some(({ type }) => type === "process_started")).toBe(false);
  await endCleanly(bridge);
});

test("a failed resume of a running bridge leaves it running", async () => {
  const env = { TUGTALK_SIM_SESSIONS: "", CLAUDE_CONFIG_DIR: configDirOfAnother() };
  const bridge = startBridge({ env });
  await initialize(bridge);
  bridge.send({ type: "session_command", command: "resume", session_id: GONE, id: "go" });
  expect(await bridge.next("control_result")).toMatchObject({ ok: true, in_reply_to: "go" });
  expect(await bridge.next("error")).toMatchObject(NO_SUCH_SESSION);
  await endCleanly(bridge);
});
