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

type Way = { readonly args?: readonly string[]; readonly end: (bridge: TestBridge) => void };

const BY_EOF = { args: ["--on-eof=drain"], end: (bridge: TestBridge) => bridge.closeInput() };
const drain = (bridge: TestBridge) => bridge.send({ type: "shutdown", drain: true });

const WAYS: Readonly<Record<string, Way>> = {
  "--on-eof=drain": BY_EOF,
  "shutdown{drain}": { end: drain },
  "shutdown{drain}, then the end of input": {
    end: (bridge) => {
      drain(bridge);
      bridge.closeInput();
    },
  },
};

test.each(["before init", "idle"] as const)(
  "in the state %s nothing has to finish",
  async (state) => {
    const bridge = await bringTo(state, BY_EOF);
    bridge.closeInput();
    await expectOver(bridge);
  },
);

test.each(Object.entries(WAYS))(
  "%s lets the turn and the queue finish",
  async (_name, { args = [], end }) => {
    const bridge = startConversation(FINISHING, { args, env: { TUGTALK_SIM_SPEED: "1" } });
    await initialize(bridge);
    for (const text of ["one", "two", "three"]) bridge.send({ type: "user_message", text });
    await bridge.next(({ status }) => status === "partial");
    end(bridge);
    await expectOver(bridge);
    const turns = bridge.received.filter(({ type }) => type === "turn_complete");
    expect(turns.map(({ result }) => result)).toEqual(["success", "success", "success"]);
  },
);

test("a starting Claude finishes the messages that it has", async () => {
  const bridge = startConversation(undefined, BY_EOF);
  bridge.send({ type: "protocol_init", version: 2 });
  bridge.send({ type: "user_message", text: "first" });
  bridge.closeInput();
  await expectOver(bridge);
  const turns = bridge.received.filter(({ type }) => type === "turn_complete");
  expect(turns).toMatchObject([{ result: "success" }]);
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
