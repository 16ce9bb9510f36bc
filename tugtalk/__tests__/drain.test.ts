/** A shutdown that lets Claude finish its work. */
import { expect, test } from "bun:test";
import type { TestBridge } from "../testing/drivers/bridge-process.ts";
import {
  bringTo,
  HALF_A_TURN,
  initialize,
  startConversation,
} from "../testing/drivers/bridge-states.ts";
import { ASKING, into, out, RESULT } from "../testing/drivers/written-conversation.ts";
import { observe } from "../testing/observer/observer.ts";

/** Goes on by itself after the end of input. */
const FINISHING: readonly object[] = [...HALF_A_TURN, { dir: "pause", msg: 300 }, out(RESULT)];

/** Goes on when the host sends a message. */
const RELEASED: readonly object[] = [
  ...HALF_A_TURN,
  into({ type: "control_request", request: { subtype: "set_model" } }),
  out({ type: "control_response", response: { subtype: "success", request_id: "r" } }),
  out(RESULT),
];

const byEof = { args: ["--on-eof=drain"], end: (bridge: TestBridge) => bridge.closeInput() };
const byMessage = {
  args: [],
  end: (bridge: TestBridge) => bridge.send({ type: "shutdown", drain: true }),
};
const byBoth = {
  args: [],
  end: (bridge: TestBridge) => {
    bridge.send({ type: "shutdown", drain: true });
    bridge.closeInput();
  },
};
const WAYS = [
  ["--on-eof=drain", byEof],
  ["shutdown{drain}", byMessage],
  ["shutdown{drain}, then the end of input", byBoth],
] as const;

test.each(WAYS)("%s has nothing to finish before protocol_init", async (_name, { args, end }) => {
  const bridge = await bringTo("before init", { args });
  bridge.send({ type: "interrupt" });
  await bridge.next("error");
  end(bridge);
  if (end === byMessage.end) bridge.closeInput();
  await expectOver(bridge);
});

test.each(WAYS)("%s ends an idle Claude at once", async (_name, { args, end }) => {
  const bridge = await bringTo("idle", { args });
  end(bridge);
  await expectOver(bridge);
});

test.each(WAYS)("%s lets the turn and the queue finish", async (_name, { args, end }) => {
  const bridge = startConversation(FINISHING, { args, env: { TUGTALK_SIM_SPEED: "1" } });
  await initialize(bridge);
  for (const text of ["one", "two", "three"]) bridge.send({ type: "user_message", text });
  await bridge.next(({ status }) => status === "partial");
  end(bridge);
  await expectOver(bridge);
  const turns = bridge.received.filter(({ type }) => type === "turn_complete");
  expect(turns.map(({ result }) => result)).toEqual(["success", "success", "success"]);
});

test.each(WAYS)("%s lets a starting Claude finish the messages it has", async (_name, way) => {
  const bridge = startConversation(undefined, { args: way.args });
  bridge.send({ type: "protocol_init", version: 2 });
  bridge.send({ type: "user_message", text: "first" });
  way.end(bridge);
  await expectOver(bridge);
  const [turn] = bridge.received.filter(({ type }) => type === "turn_complete");
  expect(turn?.["result"]).toBe("success");
});

test("a draining bridge reads the host and refuses new messages", async () => {
  const bridge = startConversation(RELEASED);
  await initialize(bridge);
  bridge.send({ type: "user_message", text: "one" });
  await bridge.next(({ status }) => status === "partial");
  bridge.send({ type: "shutdown", drain: true });
  bridge.send({ type: "user_message", text: "two", id: "late" });
  const refusal = await bridge.next("error");
  expect([refusal["code"], refusal["in_reply_to"]]).toEqual(["message_rejected", "late"]);
  bridge.send({ type: "model_change", model: "opus" });
  expect((await bridge.next("turn_complete"))["result"]).toBe("success");
  await expectOver(bridge);
});

test("a prompt can be answered while the bridge drains", async () => {
  const bridge = await bringTo("prompt open");
  bridge.send({ type: "shutdown", drain: true });
  bridge.send({ type: "user_message", text: "too late" });
  // A refusal shows that draining has started.
  await bridge.next("error");
  bridge.send({ type: "tool_approval", request_id: "prompt1", decision: "allow" });
  expect((await bridge.next("control_request_resolved"))["outcome"]).toBe("allow");
  expect((await bridge.next("turn_complete"))["result"]).toBe("success");
  await expectOver(bridge);
});

test("a second shutdown request ends the draining at once", async () => {
  const bridge = startConversation([...HALF_A_TURN, into({ type: "nothing that comes" })]);
  await initialize(bridge);
  bridge.send({ type: "user_message", text: "one" });
  await bridge.next(({ status }) => status === "partial");
  bridge.send({ type: "shutdown", drain: true });
  bridge.kill("SIGTERM");
  expect((await bridge.next("turn_complete"))["result"]).toBe("cancelled");
  await expectOver(bridge);
});

test("a prompt that can no longer be answered ends the draining", async () => {
  const bridge = startConversation(
    [...HALF_A_TURN, { dir: "pause", msg: 200 }, ...ASKING.slice(2)],
    { args: ["--on-eof=drain"], env: { TUGTALK_SIM_SPEED: "1" } },
  );
  await initialize(bridge);
  bridge.send({ type: "user_message", text: "one" });
  await bridge.next(({ status }) => status === "partial");
  bridge.closeInput();
  expect((await bridge.next("control_request_cancel"))["reason"]).toBe("interrupted");
  await expectOver(bridge);
});

test("a prompt that is open when the input ends ends the draining", async () => {
  const bridge = await bringTo("prompt open", { args: ["--on-eof=drain"] });
  bridge.closeInput();
  await expectOver(bridge);
});

async function expectOver(bridge: TestBridge): Promise<void> {
  expect(await bridge.exited).toBe(0);
  expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
  const exits = bridge.received.filter(({ type }) => type === "process_exit");
  for (const exit of exits) expect(exit["expected"]).toBe(true);
}
