/** Claude cannot be started, or not with this conversation: the words that the host gets. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { folder } from "../../simulator/__tests__/support/written-conversation.ts";
import { startBridge, type TestBridge } from "./support/bridge-process.ts";
import { initialize } from "./support/bridge-states.ts";
import { claudeThat } from "./support/claudes.ts";
import { observe } from "./support/observer.ts";

const GONE = "11111111-2222-4333-8444-555555555555";

test("a claude that is not there is one error, and exit code 1", async () => {
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

test("a claude that ends at once is told of in its own words", async () => {
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

test.each(VERSIONS)("a conversation that %s does not find is resume_failed", async (version) => {
  const env = { TUGTALK_SIM_SESSIONS: "", TUGTALK_SIM_VERSION: version };
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
});

test("a folder without conversations has none to continue", async () => {
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

test("an id that is in use is told of by its reason", async () => {
  const bridge = startBridge({ env: { TUGTALK_SIM_SESSIONS: GONE } });
  const session = { mode: "new", session_id: GONE };
  bridge.send({ type: "protocol_init", version: 2, session });
  expect(await bridge.next("error")).toMatchObject({
    code: "claude_start_failed",
    reason: "id_in_use",
  });
  expect(await bridge.exited).toBe(1);
  expectBooksInOrder(bridge);
});

test("a folder that is not there is told of", async () => {
  const bridge = startBridge({ args: [`--dir=${join(folder, "nowhere")}`] });
  bridge.send({ type: "protocol_init", version: 2 });
  expect(await bridge.next("error")).toMatchObject({
    code: "claude_start_failed",
    reason: "missing_directory",
    recoverable: false,
  });
  expect(await bridge.exited).toBe(1);
  expectBooksInOrder(bridge);
});

test("a resume that fails later leaves the bridge running", async () => {
  const bridge = startBridge({ env: { TUGTALK_SIM_SESSIONS: "" } });
  await initialize(bridge);
  bridge.send({ type: "session_command", command: "resume", session_id: GONE, id: "go" });
  expect(await bridge.next("control_result")).toMatchObject({ ok: true, in_reply_to: "go" });
  expect(await bridge.next("error")).toMatchObject({ code: "resume_failed", recoverable: true });
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  expectBooksInOrder(bridge);
});

function expectBooksInOrder(bridge: TestBridge): void {
  expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
}
