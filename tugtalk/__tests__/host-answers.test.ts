/**
 * Well-formed answers and messages that the current state does not accept: each gets one error and
 * changes nothing.
 */

import { describe, expect, test } from "bun:test";
import type { Fields } from "../src/base/json.ts";
import type { TestBridge } from "../testing/drivers/bridge-process.ts";
import {
  bringTo,
  HELD,
  initialize,
  openStdinLog,
  QUESTIONING,
  startConversation,
} from "../testing/drivers/bridge-states.ts";
import { answersTo } from "../testing/drivers/host-line.ts";
import { observe } from "../testing/observer/observer.ts";

/** What is said, and the code that answers it. */
type Row = readonly [name: string, said: Fields, code: string];

const approval = (fields: Fields) => ({ type: "tool_approval", request_id: "prompt1", ...fields });
const answer = (answers: Fields, request_id = "prompt1") => ({
  type: "question_answer",
  request_id,
  answers,
});

const AT_A_PROMPT: readonly Row[] = [
  [
    "an approval of what was never asked",
    approval({ request_id: "prompt2", decision: "allow" }),
    "unknown_request",
  ],
  ["answers to what was never asked", answer({ a: "b" }, "prompt2"), "unknown_request"],
  ["answers to what is no question", answer({ a: "b" }), "bad_message"],
  ["a free answer to what is no question", { ...answer({}), response: "x" }, "bad_message"],
];

const AT_A_QUESTION: readonly Row[] = [
  ["an allow without answers", approval({ decision: "allow" }), "bad_message"],
  [
    "an allow with answers of its own making",
    approval({ decision: "allow", updatedInput: { answers: { "Which colour?": "Red" } } }),
    "bad_message",
  ],
  ["no answer at all", answer({}), "bad_message"],
  ["the answer to another question", answer({ "Which color?": "Red" }), "bad_message"],
  ["the header for the question", answer({ Colour: "Red" }), "bad_message"],
  ["several answers where one is asked for", answer({ "Which colour?": ["Red"] }), "bad_message"],
  ["one good answer and one to nothing", answer({ "Which colour?": "Red", x: "y" }), "bad_message"],
  ["answers to what was never asked", answer({ "Which colour?": "Red" }, "x"), "unknown_request"],
];

const PROMPTS = [
  {
    kind: "permission prompt",
    rows: AT_A_PROMPT,
    good: approval({ decision: "allow" }),
    outcome: "allow",
    late: [approval({ decision: "allow" }), approval({ decision: "deny" }), answer({ a: "b" })],
  },
  {
    kind: "question",
    rows: AT_A_QUESTION,
    good: answer({ "Which colour?": "Red", "Which sizes?": ["S", "M"] }),
    outcome: "answered",
    late: [answer({ "Which colour?": "Red" }), approval({ decision: "deny" })],
  },
];

describe.each(PROMPTS)("at a $kind", ({ kind, rows, good, outcome, late }) => {
  test("wrong answers leave the prompt open, the right one settles it, later ones are stale", async () => {
    const log = openStdinLog();
    const bridge =
      kind === "question"
        ? await atAQuestion(log.env)
        : await bringTo("prompt open", { env: log.env });
    for (const [name, said, code] of rows) await refused(bridge, said, { name, code });
    expect(log.lines()).toHaveLength(2);

    bridge.send({ ...good, id: "good" });
    const resolved = await bridge.next("control_request_resolved");
    expect([resolved["outcome"], resolved["in_reply_to"]]).toEqual([outcome, "good"]);
    expect((await bridge.next("turn_complete"))["result"]).toBe("success");
    for (const said of late) await refused(bridge, said, { name: "late", code: "stale_request" });
    await endCleanly(bridge);
    expect(log.lines()).toHaveLength(3);
  });
});

test("an interrupt of the turn closes its prompts", async () => {
  const bridge = await bringTo("prompt open");
  bridge.send({ type: "interrupt", id: "stop" });
  const { reason } = await bridge.next("control_request_cancel");
  expect(reason).toBe("interrupted");
  const said = approval({ decision: "allow" });
  await refused(bridge, said, { name: "late", code: "stale_request" });
  await endCleanly(bridge);
});

const ID = "11111111-2222-4333-8444-555555555555";
const image = { filename: "a.png", media_type: "image/png", content: "bm8gaW1hZ2U=" };

/** Messages that are refused. Only those with a `message_id` get a receipt. */
const REJECTED: readonly (readonly [...Row, hasReceipt: boolean])[] = [
  ["an id that was used", { text: "x", message_id: ID }, "message_rejected", false],
  ["an empty text", { text: "" }, "message_rejected", true],
  ["an image that is none", { text: "x", attachments: [image] }, "attachment_rejected", true],
  [
    "a type that no CLI takes",
    { text: "x", attachments: [{ ...image, media_type: "image/bmp" }] },
    "attachment_rejected",
    true,
  ],
  [
    "content that is not base64",
    { text: "x", attachments: [{ ...image, content: "?" }] },
    "attachment_rejected",
    true,
  ],
  ["one message more than may wait", { text: "x" }, "queue_full", true],
];

test("a refused message gets an error and, with a message_id of its own, a receipt", async () => {
  const log = openStdinLog();
  const bridge = startConversation(HELD, { env: log.env });
  await initialize(bridge, { options: { max_queued: 1 } });
  bridge.send({ type: "user_message", text: "go", message_id: ID });
  await bridge.next(({ status }) => status === "partial");
  for (const [name, said, code, hasReceipt] of REJECTED) {
    if (code === "queue_full") bridge.send({ type: "user_message", text: "waits" });
    const message = { type: "user_message", id: "r", ...said };
    const answers = (await answersTo(bridge, JSON.stringify(message))).filter(
      ({ status }) => status !== "queued",
    );
    const [error, receipt] = answers;
    expect([name, error], name).toMatchObject([name, { code, in_reply_to: "r", source: "host" }]);
    expect(answers).toHaveLength(hasReceipt ? 2 : 1);
    expect(receipt?.["status"]).toBe(hasReceipt ? "rejected" : undefined);
    expect(receipt?.["message_id"]).toBe(hasReceipt ? error?.["message_id"] : undefined);
  }
  expect(log.lines()).toHaveLength(2);
  await endCleanly(bridge);
});

async function atAQuestion(env: Readonly<Record<string, string>>): Promise<TestBridge> {
  const bridge = startConversation(QUESTIONING, { env });
  await initialize(bridge);
  bridge.send({ type: "user_message", text: "ask" });
  expect((await bridge.next("control_request_forward"))["is_question"]).toBe(true);
  return bridge;
}

async function refused(
  bridge: TestBridge,
  said: Fields,
  { name, code }: { readonly name: string; readonly code: string },
): Promise<void> {
  const answers = await answersTo(bridge, JSON.stringify({ ...said, id: "r" }));
  const expected = {
    type: "error",
    code,
    in_reply_to: "r",
    request_id: said["request_id"],
    source: "host",
  };
  expect(
    answers.filter(({ type }) => type === "error"),
    name,
  ).toMatchObject([expected]);
  expect(
    answers.filter(({ type }) => type.startsWith("control_request")),
    name,
  ).toEqual([]);
}

async function endCleanly(bridge: TestBridge): Promise<void> {
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
}
