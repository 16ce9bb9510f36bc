/**
 * The method that handles each host message, seen from outside: by the lines that Claude gets and the
 * messages that the host gets. The tests of the session check all that each method does.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Received, TestBridge } from "../../testing/drivers/bridge-process.ts";
import {
  bringTo,
  initialize,
  openStdinLog,
  QUESTIONING,
  type StdinLog,
  startConversation,
} from "../../testing/drivers/bridge-states.ts";
import { observe } from "../../testing/observer/observer.ts";
import type { Fields } from "../base/json.ts";
import { INBOUND_TYPES } from "../edge/plain-checks.generated.ts";

const ID = "11111111-2222-4333-8444-555555555555";

type Row = {
  readonly said: Fields & { readonly type: string };
  /** The messages that answer it, directly or as its effect. */
  readonly emitted: (message: Received) => boolean;
  readonly shown: Fields;
  /** The lines that Claude gets for it. */
  readonly written?: Fields;
};

const result = ({ type }: Received) => type === "control_result";

/** In the order in which they are said to one bridge. */
const ROWS: readonly Row[] = [
  {
    said: { type: "protocol_init", version: 1, session: { mode: "new", session_id: ID } },
    emitted: ({ type }) => type === "protocol_ack",
    shown: { version: 2, session_id: ID, seq: 1, in_reply_to: "said" },
    written: { request: { subtype: "initialize" } },
  },
  {
    said: { type: "permission_mode", mode: "plan" },
    emitted: result,
    shown: { subtype: "set_permission_mode", ok: true, in_reply_to: "said" },
    written: { request: { subtype: "set_permission_mode", mode: "plan" } },
  },
  {
    said: { type: "model_change", model: "haiku" },
    emitted: result,
    shown: { subtype: "set_model", ok: true, in_reply_to: "said" },
    written: { request: { subtype: "set_model", model: "haiku" } },
  },
  {
    said: { type: "stop_task", task_id: "b1" },
    emitted: result,
    shown: { subtype: "stop_task", in_reply_to: "said" },
    written: { request: { subtype: "stop_task", task_id: "b1" } },
  },
  {
    said: { type: "interrupt", include_background: true },
    emitted: result,
    shown: { subtype: "interrupt", ok: true, still_queued: [], in_reply_to: "said" },
    written: { request: { subtype: "interrupt" } },
  },
  {
    said: { type: "user_message", text: "hello", message_id: ID },
    emitted: ({ type }) => type === "turn_complete",
    shown: { message_ids: [ID], result: "success" },
    written: { type: "user", uuid: ID, message: { content: [{ type: "text", text: "hello" }] } },
  },
  {
    said: { type: "tool_approval", request_id: "x", decision: "allow" },
    emitted: ({ type }) => type === "error",
    shown: { code: "unknown_request", request_id: "x", in_reply_to: "said" },
  },
  {
    said: { type: "question_answer", request_id: "x", answers: {} },
    emitted: ({ type }) => type === "error",
    shown: { code: "unknown_request", request_id: "x", in_reply_to: "said" },
  },
  {
    said: { type: "session_command", command: "new" },
    emitted: ({ type, mode }) => type === "session_init" && mode === "new",
    shown: {},
    written: { request: { subtype: "initialize" } },
  },
  {
    said: { type: "shutdown" },
    emitted: ({ type }) => type === "process_exit",
    shown: { expected: true, will_restart: false },
  },
];

/** Types whose effect has a test file of its own. */
const ELSEWHERE = [
  "cancel_message",
  "control",
  "dialog_answer",
  "elicitation_answer",
  "host_tools",
  "host_tool_answer",
  "hook_answer",
  "session_list",
  "session_history",
  "transcript_restore",
];

test("every type of message that a host may send is tried here or has tests of its own", () => {
  const shown = [...ROWS.map(({ said }) => said.type), ...ELSEWHERE];
  expect([...INBOUND_TYPES].filter((type) => !shown.includes(type))).toEqual([]);
});

let bridge: TestBridge;
let log: StdinLog;
beforeAll(() => {
  log = openStdinLog();
  bridge = startConversation(undefined, { env: log.env });
});
afterAll(() => bridge.kill());

for (const { said, emitted, shown, written } of ROWS) {
  test(`a message of the type ${said.type} has its effect`, async () => {
    const before = log.lines().length;
    bridge.send({ ...said, id: "said" });
    expect(await bridge.next(emitted)).toMatchObject(shown);
    if (said.type === "protocol_init") await bridge.next(({ state }) => state === "idle");
    const lines = log.lines().slice(before);
    if (written === undefined) expect(lines).toEqual([]);
    else expect(lines.at(-1)).toMatchObject(written);
  });
}

test("after shutdown the bridge ends well, and has kept every guarantee", async () => {
  expect(await bridge.exited).toBe(0);
  expect(observe({ received: bridge.received, sentIds: bridge.sentIds, isOver: true })).toEqual([]);
});

test("an answer reaches the Claude that asked", async () => {
  const stdin = openStdinLog();
  const asking = startConversation(QUESTIONING, { env: stdin.env });
  await initialize(asking);
  asking.send({ type: "user_message", text: "ask" });
  const { request_id } = await asking.next("control_request_forward");
  asking.send({ type: "question_answer", request_id, answers: { "Which sizes?": ["S"] } });
  await asking.next("turn_complete");
  expect(stdin.lines().at(-1)).toMatchObject({
    type: "control_response",
    response: { request_id, response: { updatedInput: { answers: { "Which sizes?": ["S"] } } } },
  });
  asking.closeInput();
  expect(await asking.exited).toBe(0);
});

test("shutdown with drain lets the running turn end", async () => {
  const idle = await bringTo("idle");
  idle.send({ type: "user_message", text: "one more" });
  idle.send({ type: "shutdown", drain: true });
  expect((await idle.next("turn_complete"))["result"]).toBe("success");
  expect(await idle.exited).toBe(0);
});
