/** The stand-in for the bridge in the benchmarks of the host. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { startBridge } from "../../testing/drivers/bridge-process.ts";

const bridge = startBridge({
  command: [process.execPath, join(import.meta.dir, "..", "streaming-bridge.ts")],
});
afterAll(() => bridge.kill());

test("the stand-in for the bridge has a session for each channel", async () => {
  for (const channel of ["a", "b"]) {
    bridge.send({ type: "protocol_init", version: 2, channel });
    expect(await bridge.next("protocol_ack")).toMatchObject({ seq: 1, channel });
  }
  bridge.send({ type: "shutdown", channel: "a" });
  expect(await bridge.next("channel_closed")).toMatchObject({ channel: "a" });
});

test("the stand-in for the bridge streams what it is asked for, in messages that a bridge may send", async () => {
  const plan = { turns: 2, deltas: 3, chars: 40, tools: 1, perSecond: 0 };
  bridge.send({ type: "protocol_init", version: 2, id: "start" });
  expect(await bridge.next("protocol_ack")).toMatchObject({ in_reply_to: "start" });
  bridge.send({ type: "user_message", text: JSON.stringify(plan), message_id: "one", id: "say" });
  for (let turn = 0; turn < plan.turns; turn += 1) await bridge.next("turn_complete");
  const countOf = (type: string) => bridge.received.filter((message) => message.type === type);
  expect(countOf("assistant_text")).toHaveLength(plan.turns * (plan.deltas + 1));
  expect(countOf("tool_result")).toHaveLength(plan.turns * plan.tools);
  expect(countOf("message_status").map(({ status }) => status)).toEqual([
    "queued",
    "started",
    "completed",
  ]);
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
});
