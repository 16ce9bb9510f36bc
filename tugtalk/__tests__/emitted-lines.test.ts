/** The check of every line that a bridge emits in a test. */

import { describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fields } from "../src/base/json.ts";
import { CHECKED_BRIDGE } from "../testing/drivers/bridge-process.ts";
import { FAULTS_FILE, uncheckedFile } from "../testing/drivers/emitted-faults.ts";
import { failOnFaults } from "../testing/drivers/fail-on-faults.ts";
import { failureOf } from "../testing/drivers/failure.ts";
import { ROOT } from "../testing/drivers/import-graph.ts";
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

test("a test fails with the faults that were found since the one before", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "faults-")), "faults.txt");
  await failOnFaults(path);
  const script = `import { parseEmitted } from "${ROOT}/testing/drivers/emitted-lines.ts";
    parseEmitted(${JSON.stringify(JSON.stringify({ ...STATE, extra: 1 }))});`;
  const run = (env: Readonly<Record<string, string | undefined>>) =>
    Bun.spawnSync([process.execPath, "-e", script], { env: { ...process.env, ...env } }).exitCode;
  expect(run({ TUGTALK_EMITTED_FAULTS: path })).toBe(0);
  expect(String(await failureOf(failOnFaults(path)))).toContain("schema lacks: extra");
  expect(existsSync(path)).toBe(false);
  // Where no test runs, the reader fails at once.
  expect(run({ TUGTALK_EMITTED_FAULTS: undefined })).toBe(1);
});

test("the messages of a bridge to a host that no test looks into are checked when the test ends", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "faults-")), "faults.txt");
  const env = { ...process.env, [FAULTS_FILE]: path };
  const bridge = Bun.spawnSync([process.execPath, CHECKED_BRIDGE], {
    env,
    stdin: Buffer.from("{\n"),
  });
  const unchecked = uncheckedFile(path);
  expect(readFileSync(unchecked, "utf8")).toBe(bridge.stdout.toString());
  const own = process.env[FAULTS_FILE];
  process.env[FAULTS_FILE] = path;
  try {
    await failOnFaults(path);
    appendFileSync(unchecked, `${JSON.stringify({ ...STATE, extra: 1 })}\n`);
    expect(String(await failureOf(failOnFaults(path)))).toContain("schema lacks: extra");
    await failOnFaults(path);
  } finally {
    if (own === undefined) delete process.env[FAULTS_FILE];
    else process.env[FAULTS_FILE] = own;
  }
});
