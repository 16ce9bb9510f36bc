/** Claude exits by itself: the messages to the host, and how the conversation goes on. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../src/process/process-signals.ts";
import { startBridge, type TestBridge } from "../testing/drivers/bridge-process.ts";
import {
  bringTo,
  HALF,
  HALF_A_TURN,
  HELD,
  initialize,
  startConversation,
} from "../testing/drivers/bridge-states.ts";
import { claudeThat, isGone, STAND_IN } from "../testing/drivers/claudes.ts";
import { endCleanly } from "../testing/drivers/clean-end.ts";
import { ASKING, folder, out, RESULT } from "../testing/drivers/written-conversation.ts";
import { observe } from "../testing/observer/observer.ts";

const exit = (code: number | null, signal: string | null = null) => ({
  dir: "exit",
  msg: { code, signal },
});
const LAST_WORDS = { dir: "err", msg: "segmentation fault, probably\n" };

const DEATHS = [
  { name: "exit code 0", ending: exit(0), exit_code: 0, signal: null },
  { name: "exit code 1", ending: exit(1), exit_code: 1, signal: null },
  { name: "SIGKILL", ending: exit(null, "SIGKILL"), signal: "SIGKILL" },
];

describe.each(DEATHS)("$name in a turn", ({ ending, name: _name, ...how }) => {
  test("ends what was open, in order", async () => {
    const bridge = startConversation([...HALF_A_TURN, LAST_WORDS, ending]);
    await initialize(bridge);
    bridge.send({ type: "user_message", text: "go" });
    const process_exit = await bridge.next("process_exit");
    expect(process_exit).toMatchObject({
      ...how,
      expected: false,
      stderr_tail: LAST_WORDS.msg,
      will_restart: true,
    });
    const last = bridge.received.slice(-5, -1);
    expect(last).toMatchObject([
      { type: "assistant_text", status: "abandoned" },
      { type: "turn_cancelled", reason: "exited", partial_result: HALF },
      { type: "message_status", status: "failed" },
      { type: "process_exit" },
    ]);
    await endCleanly(bridge);
  });

  test("the next message starts Claude again, with the same conversation", async () => {
    const bridge = startConversation([...HALF_A_TURN, ending, ...HELD]);
    await initialize(bridge);
    const session_id = bridge.received.find(({ type }) => type === "session_init")?.["session_id"];
    bridge.send({ type: "user_message", text: "go" });
    await bridge.next("process_exit");
    bridge.send({ type: "user_message", text: "and again" });
    const { args } = await bridge.next("process_started");
    expect(args).toContain(`--resume=${session_id}`);
    expect(JSON.stringify(args)).not.toContain("--session-id");
    const init = await bridge.next("session_init");
    expect([init["session_id"], init["mode"]]).toEqual([session_id, "resume"]);
    await endCleanly(bridge);
  });
});

test("a prompt is closed when its Claude is killed from outside", async () => {
  const bridge = await bringTo("prompt open");
  kill(bridge);
  expect(await bridge.next("control_request_cancel")).toMatchObject({
    request_id: "prompt1",
    reason: "exited",
  });
  expect((await bridge.next("turn_cancelled"))["reason"]).toBe("exited");
  await bridge.next("process_exit");
  bridge.send({ type: "tool_approval", request_id: "prompt1", decision: "allow", id: "late" });
  expect(await bridge.next("error")).toMatchObject({ code: "stale_request", in_reply_to: "late" });
  await endCleanly(bridge);
});

test("the process group of a killed Claude is ended", async () => {
  const env = { TUGTALK_CHILD_PID: join(folder, "grouped.pid"), TUGTALK_STAND_IN: STAND_IN };
  const bridge = await bringTo("idle", { claude: claudeThat("leaves-a-child-in-its-group"), env });
  const child = Number(readFileSync(env.TUGTALK_CHILD_PID, "utf8"));
  try {
    expect(isAlive(child)).toBe(true);
    kill(bridge);
    await bridge.next("process_exit");
    await isGone(child);
  } finally {
    if (isAlive(child)) process.kill(child, "SIGKILL");
  }
  await endCleanly(bridge);
});

test("queued messages start the next Claude and are not lost", async () => {
  const bridge = await bringTo("messages queued");
  kill(bridge);
  expect((await bridge.next("process_exit"))["will_restart"]).toBe(true);
  await bridge.next("process_started");
  const { message_ids } = await bridge.next("turn_started");
  const queued = bridge.received.find(({ in_reply_to }) => in_reply_to === "second");
  expect(message_ids).toEqual([queued?.["message_id"]]);
  await endCleanly(bridge);
});

test("an idle Claude that exits is restarted by the next message", async () => {
  const bridge = await bringTo("idle");
  bridge.send({ type: "user_message", text: "one" });
  await bridge.next("turn_complete");
  kill(bridge);
  await bridge.next("process_exit");
  bridge.send({ type: "user_message", text: "two" });
  expect((await bridge.next("turn_complete"))["text"]).toBe("You said: two");
  await endCleanly(bridge);
});

test("a Claude that exits before its first turn is started again with the same id", async () => {
  const bridge = await bringTo("idle");
  const session_id = bridge.received.find(({ type }) => type === "session_init")?.["session_id"];
  kill(bridge);
  await bridge.next("process_exit");
  bridge.send({ type: "user_message", text: "one" });
  const { args } = await bridge.next("process_started");
  expect(args).toContain(`--session-id=${session_id}`);
  await bridge.next("turn_complete");
  await endCleanly(bridge);
});

test("the fourth restart within a minute is refused", async () => {
  const bridge = startConversation([...HALF_A_TURN, exit(1)]);
  await initialize(bridge);
  const willRestart: unknown[] = [];
  for (let start = 0; start < 4; start += 1) {
    bridge.send({ type: "user_message", text: "go" });
    willRestart.push((await bridge.next("process_exit"))["will_restart"]);
  }
  expect(willRestart).toEqual([true, true, true, false]);
  bridge.send({ type: "user_message", text: "go", id: "fifth" });
  expect(await bridge.next("error")).toMatchObject({
    code: "claude_exited",
    in_reply_to: "fifth",
    recoverable: true,
  });
  expect((await bridge.next("message_status"))["status"]).toBe("rejected");
  await endCleanly(bridge);
});

test("a Claude that closes its stdout without exiting is stopped", async () => {
  const bridge = startBridge({ claude: claudeThat("closes-stdout") });
  bridge.send({ type: "protocol_init", version: 2, options: { shutdown_grace_ms: 50 } });
  const { pid } = await bridge.next("process_started");
  expect(await bridge.next("process_exit")).toMatchObject({ pid, expected: false });
  await isGone(Number(pid));
  expect(await bridge.exited).toBe(1);
  expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
});

test("a line of Claude that is nested too deeply is passed on as text", async () => {
  const deep = `${"[".repeat(60_000)}${"]".repeat(60_000)}`;
  const [said, init, asks] = ASKING;
  const asking = JSON.stringify((asks as { msg: object }).msg);
  const line = asking.replace('"file_path":"a"', `"file_path":${deep}`);
  const bridge = startConversation([said ?? {}, init ?? {}, out(line), out(RESULT)]);
  await initialize(bridge);
  bridge.send({ type: "user_message", text: "go" });
  expect((await bridge.next("turn_complete"))["result"]).toBe("success");
  const odd = bridge.received.filter(({ type }) => type === "error" || type === "unknown_event");
  expect(odd).toMatchObject([{ type: "unknown_event", original_type: "assistant" }]);
  await endCleanly(bridge);
});

function kill(bridge: TestBridge): void {
  const started = bridge.received.find(({ type }) => type === "process_started");
  process.kill(Number(started?.["pid"]), "SIGKILL");
}
