/** Every line that a bridge emits in a test is checked, and no test reads a bridge in another way. */

import { describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fields } from "../src/base/json.ts";
import { failOnFaults } from "../testing/drivers/emitted-faults.ts";
import { ROOT, specifiersOf } from "../testing/drivers/import-graph.ts";
import { outboundFaults } from "../testing/drivers/outbound-check.ts";

const STATE = { type: "session_state", ipc_version: 2, seq: 1, state: "idle" };
const TEXT = { type: "user_text", text: "hello", kind: "history" };
const PAGE = {
  type: "session_history_result",
  ipc_version: 2,
  seq: 3,
  session_id: "s",
  skipped_lines: 0,
  messages: [TEXT],
};

describe("the check of an emitted message", () => {
  test.each([STATE, PAGE, { ...STATE, type: "compact_boundary", further: { of: "Claude's" } }])(
    "has no fault to find in %j",
    (message) => {
      expect(outboundFaults(message)).toEqual([]);
    },
  );

  const FAULTY: readonly (readonly [name: string, message: unknown, fault: RegExp])[] = [
    ["an undeclared field", { ...STATE, extra: 1 }, /schema lacks: extra$/],
    [
      "an undeclared field of a field",
      { type: "protocol_ack", ipc_version: 2, seq: 1, ...ack({ inbound: [], extra: 1 }) },
      /schema lacks: capabilities\.extra$/,
    ],
    ["a missing field", { type: "session_state", ipc_version: 2, seq: 1 }, /at state$/],
    ["a field of another type", { ...STATE, state: 7 }, /at state$/],
    ["a missing number", { type: "session_state", ipc_version: 2, state: "idle" }, /at seq$/],
    ["an unknown type", { ...STATE, type: "gossip" }, /no message of this type$/],
    ["an array", [STATE], /is no object$/],
    ["a past message with an undeclared field", withPast({ ...TEXT, extra: 1 }), /lacks: extra$/],
    ["a past message without a field", withPast({ type: "user_text", text: "a" }), /at kind$/],
    ["a past message with a number", withPast({ ...TEXT, seq: 1 }), /has a number or a version$/],
  ];
  test.each(FAULTY)("finds %s", (_name, message, fault) => {
    expect(outboundFaults(message)[0]).toMatch(fault);
  });
});

function ack(capabilities: Fields): Fields {
  return {
    version: 2,
    instance_id: "00000000-0000-4000-8000-000000000000",
    tugtalk_version: "0.0.0",
    capabilities,
  };
}

function withPast(message: Fields): Fields {
  return { ...PAGE, messages: [message] };
}

test("a test fails with the faults that were found since the one before", () => {
  const path = join(mkdtempSync(join(tmpdir(), "faults-")), "faults.txt");
  failOnFaults(path);
  const script = `import { parseEmitted } from "${ROOT}/testing/drivers/emitted-lines.ts";
    parseEmitted(${JSON.stringify(JSON.stringify({ ...STATE, extra: 1 }))});`;
  const run = (env: Readonly<Record<string, string | undefined>>) =>
    Bun.spawnSync([process.execPath, "-e", script], { env: { ...process.env, ...env } }).exitCode;
  expect(run({ TUGTALK_EMITTED_FAULTS: path })).toBe(0);
  expect(() => failOnFaults(path)).toThrow("schema lacks: extra");
  expect(existsSync(path)).toBe(false);
  // Where no test runs, the reader fails at once.
  expect(run({ TUGTALK_EMITTED_FAULTS: undefined })).toBe(1);
});

const CHECK = "testing/drivers/emitted-lines.ts";

/** What a file does that starts or holds a bridge by itself: in-process, or as a process with a pipe. */
const OPENS_A_BRIDGE = [
  /\bnew (?:HostConnection|Channels|Bridge|SessionManager|HistoryRequests)\(/,
  /\b(?:openStamp|playRecording|readHistory|listSessions|runBridge)\(/,
  /from "[^"]*(?:bridge-client|spawn\/[\w-]+)\.ts"/,
  /\b(?:spawn|start)Tugtalk\(/,
  /(?:Bun\.|\b)spawn(?:Sync)?\([\s\S]*?(?:UNDER_TEST|CHECKED_\w+|cli\.ts|TERMINAL\b|npx|tugtalk\.js)/,
  /(?:UNDER_TEST|CHECKED_\w+|cli\.ts|TERMINAL\b|npx|tugtalk\.js)[\s\S]*?(?:Bun\.|\b)spawn(?:Sync)?\(/,
];

/** What the ring `package` installs is used as its users have it; the ring `built` checks the same bundle. */
const INSTALLED = "the bridge of the installed package, read by hosts of its own";

/** Files that open a bridge without the check, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "__tests__/install.package.ts": INSTALLED,
  "bench/channel-process.ts": "the check of a flood would be what is measured",
  "__tests__/support/node-only.ts": INSTALLED,
  "__tests__/support/package-hosts.ts": INSTALLED,
  "__tests__/simulate.test.ts": "its own processes print a list, the help or an error",
  "schema/__tests__/schema.test.ts": "its processes print the schema",
  "spawn/__tests__/program.test.ts":
    "its programs start no bridge, or one whose Claude ends at once, for what it starts and not for what it says",
  "spawn/__tests__/reading.test.ts": "its program is no bridge",
  "spawn/__tests__/spawn.test.ts":
    "starts checked-bridge.ts, and two hosts that show only how the program itself is found",
  "src/__tests__/session.test.ts": "the one session that it builds itself may emit nothing",
  "doctor/__tests__/support/doctor-process.ts": "the doctor starts checked-bridge.ts as its bridge",
  "host/__tests__/support/host-command.ts": "the host starts checked-bridge.ts as its bridges",
  "host/__tests__/damaged-sessions.test.ts":
    "its own processes print what a host has kept, and the host starts checked-bridge.ts",
  "host/__tests__/place-texts.test.ts":
    "its own processes print what a host has kept, and the bridges of its places are those of the test",
  "host/stored-sessions/__tests__/backup.test.ts":
    "its processes make backups, and the host starts checked-bridge.ts",
  "host/stored-sessions/__tests__/sessions-command.test.ts":
    "its processes print what a host has kept, and the host starts checked-bridge.ts",
  "host/sessions/__tests__/support/fake-bridge.ts": "its messages are those of the test",
  "host/bridges/__tests__/support/ssh-server.ts": "its machine has checked-bridge.ts as its bridge",
  "replay/__tests__/player.test.ts": "its bridge is given to a player whose lines are checked",
  "testing/drivers/host-process.ts": "the host starts checked-bridge.ts as its bridges",
  "testing/drivers/small-disk.ts": "runs commands about what a host has kept on a disk of its own",
  "testing/faults/slow-host.ts": "starts its bridge with `startBridge`",
  "testing/random/bridge-harness.ts": "its host's pipe is host-pipe.ts, which checks",
};

const FILES = [...new Bun.Glob("**/*.ts").scanSync(ROOT)]
  .filter((path) => /(^|\/)__tests__\/|^testing\/|^bench\//.test(path))
  .filter(
    (path) =>
      !path.startsWith("testing/fixtures/") && path !== CHECK && !import.meta.path.endsWith(path),
  )
  .sort();

function opensABridge(path: string): boolean {
  const text = readFileSync(join(ROOT, path), "utf8");
  return OPENS_A_BRIDGE.some((pattern) => pattern.test(text));
}

function isChecked(path: string): boolean {
  return specifiersOf(path).some(({ to, isType }) => !isType && to.endsWith("/emitted-lines.ts"));
}

test("each file of the tests that opens a bridge checks what it emits", () => {
  const opening = FILES.filter(opensABridge);
  expect(opening.length).toBeGreaterThan(10);
  const unchecked = opening.filter((path) => !isChecked(path));
  expect(unchecked).toEqual(Object.keys(EXCEPTIONS).sort());
});
