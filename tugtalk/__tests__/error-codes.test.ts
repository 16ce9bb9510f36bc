/** Every `error.code` is provoked by some test. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ErrorCode } from "../src/messages/error-message.ts";
import { startBridge } from "../testing/drivers/bridge-process.ts";
import {
  HALF,
  HALF_A_TURN,
  HELD,
  initialize,
  startConversation,
} from "../testing/drivers/bridge-states.ts";
import { claudeThat } from "../testing/drivers/claudes.ts";
import { into, out } from "../testing/drivers/written-conversation.ts";
import { observe } from "../testing/observer/observer.ts";

/** The file of the test that provokes it, or `later`: this version never sends it. */
const PROVOKED: Readonly<Record<ErrorCode, string>> = {
  bad_json: "../testing/drivers/bad-host-lines.ts",
  bad_message: "../testing/drivers/bad-host-lines.ts",
  bad_channel: "channels.test.ts",
  unknown_type: "../testing/drivers/bad-host-lines.ts",
  not_initialized: "host-lines.test.ts",
  already_initialized: "host-lines.test.ts",
  unsupported_version: "host-lines.test.ts",
  line_too_long: "host-lines.test.ts",
  unknown_request: "host-answers.test.ts",
  stale_request: "host-answers.test.ts",
  attachment_rejected: "host-answers.test.ts",
  message_rejected: "host-answers.test.ts",
  queue_full: "host-answers.test.ts",
  claude_not_found: "start-failure.test.ts",
  claude_start_failed: "start-failure.test.ts",
  resume_failed: "start-failure.test.ts",
  claude_exited: "crash.test.ts",
  internal: "../src/edge/__tests__/bridge.test.ts",
  control_rejected: "error-codes.test.ts",
  claude_unresponsive: "error-codes.test.ts",
  control_timeout: "later",
};

const SOURCES = [...new Bun.Glob("**/*.ts").scanSync({ cwd: join(import.meta.dir, "..", "src") })]
  .filter((file) => !file.includes("__tests__/") && !file.endsWith("/errors.ts"))
  .map((file) => readFileSync(join(import.meta.dir, "..", "src", file), "utf8"))
  .join("\n");

const SENT = new Set(
  [...SOURCES.matchAll(/(?:code: |Error\()\s*"(\w+)"/g)].map(([, code]) => code),
);

test.each([...ErrorCode.options])(
  "the error code %s is provoked by a test, or sent by nothing",
  (code) => {
    const file = PROVOKED[code];
    if (file === "later") expect(SENT.has(code)).toBe(false);
    else expect(readFileSync(join(import.meta.dir, file), "utf8").includes(`"${code}"`)).toBe(true);
  },
);

test("requests to a Claude that answers nothing are limited", async () => {
  const bridge = startBridge({ claude: claudeThat("ignores-everything") });
  bridge.send({ type: "protocol_init", version: 2, options: { shutdown_grace_ms: 20 } });
  await bridge.next("process_started");
  const asked = 300;
  for (let at = 0; at < asked; at += 1) {
    bridge.send({ type: "permission_mode", mode: "plan", id: `ask-${at}` });
  }
  const refused = await bridge.next("error");
  expect(refused).toMatchObject({ code: "control_rejected", recoverable: true });
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  // One answer for each: those that were sent fail with the process.
  const answers = bridge.received.flatMap(({ in_reply_to }) => in_reply_to ?? []);
  expect(answers.toSorted()).toEqual(bridge.sentIds.toSorted());
  const results = bridge.received.filter(({ type }) => type === "control_result");
  expect(results.filter(({ ok }) => ok === true)).toEqual([]);
  expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
});

const INTERRUPT = [
  into({ type: "control_request", request: { subtype: "interrupt" }, request_id: "i" }),
  out({ type: "control_response", response: { subtype: "success", request_id: "i" } }),
];

test("a Claude that accepts an interrupt and goes on is stopped", async () => {
  const bridge = startConversation([...HALF_A_TURN, ...INTERRUPT, ...INTERRUPT, ...HELD.slice(-1)]);
  await initialize(bridge, { options: { interrupt_timeout_ms: 50, shutdown_grace_ms: 50 } });
  bridge.send({ type: "user_message", text: "go" });
  await bridge.next(({ status }) => status === "partial");
  bridge.send({ type: "interrupt", id: "stop" });
  expect(await bridge.next("control_result")).toMatchObject({ ok: true, in_reply_to: "stop" });
  expect(await bridge.next("error")).toMatchObject({
    code: "claude_unresponsive",
    recoverable: true,
  });
  expect(await bridge.next("turn_cancelled")).toMatchObject({
    reason: "stalled",
    partial_result: HALF,
  });
  expect(await bridge.next("process_exit")).toMatchObject({ expected: true, will_restart: true });
  bridge.send({ type: "user_message", text: "again" });
  await bridge.next("turn_started");
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
});
