/** Every `error.code` that a host can meet is provoked by some test. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ErrorCode } from "../errors.ts";
import { startBridge } from "./support/bridge-process.ts";
import { claudeThat } from "./support/claudes.ts";
import { observe } from "./support/observer.ts";

/** The file whose test provokes it; or `later`: no line of this version sends it. */
const PROVOKED: Readonly<Record<ErrorCode, string>> = {
  bad_json: "support/bad-host-lines.ts",
  bad_message: "support/bad-host-lines.ts",
  unknown_type: "support/bad-host-lines.ts",
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
  internal: "crash.test.ts",
  control_rejected: "error-codes.test.ts",
  claude_unresponsive: "later",
  control_timeout: "later",
};

const SOURCES = [...new Bun.Glob("*.ts").scanSync({ cwd: join(import.meta.dir, "..") })]
  .filter((file) => file !== "errors.ts")
  .map((file) => readFileSync(join(import.meta.dir, "..", file), "utf8"))
  .join("\n");

test.each([...ErrorCode.options])("%s is provoked, or sent by nothing", (code) => {
  const file = PROVOKED[code];
  if (file === "later") expect(SOURCES).not.toMatch(new RegExp(`(code: |Error\\()"${code}"`));
  else expect(readFileSync(join(import.meta.dir, file), "utf8")).toContain(`"${code}"`);
});

test("a Claude that answers nothing is not asked without end", async () => {
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
