/** The observer itself: what is broken on purpose is found, for each guarantee in more than one way. */
import { describe, expect, test } from "bun:test";
import { waitFaults } from "../testing/observer/observer-waits.ts";
import {
  ack,
  answer,
  answerAfter,
  ask,
  asked,
  begin,
  cancelled,
  changed,
  completed,
  cost,
  cutOff,
  type Draft,
  down,
  end,
  faultsOf,
  finish,
  fromBridge,
  fromClaude,
  GOOD,
  including,
  initialize,
  type Life,
  partial,
  queued,
  resolved,
  SENT,
  started,
  up,
  user,
  whole,
  withdrawal,
  without,
} from "./support/sample-traffic.ts";

test("the observer finds no fault in correct traffic", () => {
  expect(faultsOf({})).toEqual([]);
});

const other = { ...begin, turn_id: "u", message_ids: [] };
const otherEnd = { ...cutOff, turn_id: "u", message_ids: [] };
const error: Draft = { type: "error", code: "bad_json", message: "no", recoverable: true };

const silent = { hasEmitted: false, isReady: true, isEnding: false, isRepeated: false };
const quoted = "<local-command-stdout>$1</local-command-stdout>";
const quotation = fromClaude({
  type: "user",
  isReplay: true,
  uuid: "a",
  message: { role: "user", content: [{ type: "text", text: quoted }] },
});
const prompt = { type: "control_request", request: { subtype: "can_use_tool" } };

const ROWS: readonly (readonly [guarantee: string, name: string, life: Life, fault: string])[] = [
  ["1", "a number that is left out", { received: changed(up, { ...up, seq: 7 }) }, "seq 7"],
  ["1", "a message before the acknowledgement", { received: [up, ...without(up)] }, "precedes"],
  ["1", "a second acknowledgement", { received: including(up, ack) }, "comes twice"],
  ["1", "an answer to what was never sent", { sent: SENT.slice(1) }, "not sent by then"],
  ["1", "an answer that comes before its question", { after: 9 }, "not sent by then"],
  [
    "1",
    "a cost without its turn's end",
    { received: including(down, begin, cost, cutOff) },
    "of no turn_complete",
  ],
  ["1", "an end without its cost", { received: without(cost) }, "without its cost"],
  [
    "2",
    "a turn without an end",
    { received: without(cost, finish, completed) },
    "open at process_exit",
  ],
  ["2", "a turn that ends twice", { received: including(completed, cutOff) }, "not open"],
  [
    "2",
    "ends in another order than starts",
    {
      received: changed(finish, cutOff).flatMap((one) =>
        one === begin ? [other, begin] : one === completed ? [completed, otherEnd] : [one],
      ),
    },
    "ends before",
  ],
  [
    "2",
    "a message of a turn that is over",
    { received: including(down, { ...partial, msg_id: "n" }) },
    "not open",
  ],
  ["2", "a block that outlives its turn", { received: without(whole) }, "outlives its turn"],
  ["3", "a message without a final receipt", { received: without(completed) }, "is left started"],
  [
    "3",
    "a message with two",
    { received: including(down, { ...completed, status: "failed" }) },
    "is failed after completed",
  ],
  [
    "3",
    "a receipt before the end of its turn",
    {
      received: including(cost, completed).filter(
        (one, at, all) => one !== completed || all.indexOf(one) === at,
      ),
    },
    "before the end of its turn",
  ],
  [
    "3",
    "a receipt that goes back",
    { received: including(cost, { ...queued, in_reply_to: "yes" }) },
    "goes back",
  ],
  [
    "3",
    "a message that nobody takes up",
    { received: without(queued, started, completed), sent: SENT },
    "never answered",
  ],
  [
    "3",
    "a message that Claude gets twice",
    { traffic: [initialize, user, user, ask, answer, end] },
    "twice",
  ],
  [
    "4",
    "a prompt that is never closed",
    { received: without(resolved), traffic: [initialize, ask, end] },
    "open at process_exit",
  ],
  [
    "4",
    "a prompt that is closed twice",
    { received: including(cost, { ...resolved, in_reply_to: "init" }) },
    "not open",
  ],
  [
    "4",
    "a prompt that is shown twice",
    { received: including(down, { ...asked, turn_id: undefined }) },
    "asked again",
  ],
  [
    "4",
    "two answers to one message",
    { received: including(cost, { ...error, in_reply_to: "say" }) },
    "answered 2 times",
  ],
  [
    "4",
    "an answer of a wrong type",
    {
      received: changed(resolved, { ...resolved, in_reply_to: "say" }).map((one) =>
        one === queued ? { ...queued, in_reply_to: "yes" } : one,
      ),
    },
    "is answered by",
  ],
  [
    "4",
    "an answer that never reaches Claude",
    { traffic: [initialize, user, ask, end] },
    "answered 0 times",
  ],
  ...["withdrawn", "interrupted", "timeout", "exited"].map(
    (reason) =>
      [
        "4",
        `a prompt that is closed as ${reason} while Claude waits`,
        {
          received: changed(resolved, cancelled(reason)),
          sent: SENT.slice(0, 2),
          traffic: [initialize, user, ask, end],
        },
        "for which Claude still waits",
      ] as const,
  ),
  [
    "4",
    "a prompt that is closed before Claude has the answer",
    { traffic: [initialize, user, ask, answerAfter(10), end] },
    "for which Claude still waits",
  ],
  [
    "4",
    "an answer to what Claude has taken back",
    {
      received: changed(resolved, cancelled("withdrawn")),
      sent: SENT.slice(0, 2),
      traffic: [initialize, user, ask, withdrawal, answerAfter(9), end],
    },
    "is answered after it was withdrawn",
  ],
  [
    "4",
    "an answer to what Claude did not ask",
    { traffic: [initialize, user, answer, end] },
    "was not asked",
  ],
  [
    "4",
    "a request that is not forwarded",
    { received: without(asked, resolved), traffic: [initialize, ask, end] },
    "not forwarded",
  ],
  [
    "4",
    "something before initialize",
    { traffic: [user, initialize, ask, answer, end] },
    "before initialize",
  ],
  [
    "4",
    "a line that ends a real CLI",
    { traffic: [initialize, fromBridge({ type: "user" }), ask, answer, end] },
    "is written",
  ],
  [
    "5",
    "news that is kept back",
    { lineOutcomes: [{ ...silent, line: { type: "brand_new" } }] },
    "nothing is told",
  ],
  [
    "5",
    "a result that is kept back",
    { lineOutcomes: [{ ...silent, line: { type: "result" } }] },
    "nothing is told",
  ],
  [
    "5",
    "a prompt that is kept back",
    { lineOutcomes: [{ ...silent, line: prompt }] },
    "nothing is told",
  ],
  [
    "6",
    "a whole that is not its parts",
    { received: changed(whole, { ...whole, text: "b" }) },
    "another text",
  ],
  ["6", "a part after the whole", { received: including(asked, partial) }, "goes on after its end"],
  [
    "6",
    "another block in the same place",
    { received: including(asked, { ...whole, type: "thinking_text" }) },
    "has the place of another",
  ],
  [
    "6",
    "an abandoned block with a text",
    { received: changed(whole, { ...whole, status: "abandoned" }) },
    "has a text",
  ],
  [
    "7",
    "a gap after a pause",
    { received: GOOD.map((one, at) => (at < 6 ? one : { ...one, seq: at + 3 })) },
    "seq 9 at place 7",
  ],
  [
    "7",
    "a message that comes twice",
    { received: GOOD.map((one, at) => (at < 6 ? one : { ...one, seq: at })) },
    "seq 6 at place 7",
  ],
  [
    "5",
    "a quotation of output as output",
    {
      received: including(partial, { type: "user_text", kind: "command_output", text: "$1" }),
      traffic: [initialize, user, quotation, ask, answer, end],
    },
    "is no output",
  ],
  ["8", "a process that never exits", { received: without(down) }, "processes are left"],
  ["8", "an exit of what never started", { received: without(up) }, "was not started"],
  [
    "8",
    "a process beside another",
    { received: including(queued, { ...up, pid: 2 }) },
    "beside another",
  ],
];

describe.each(["1", "2", "3", "4", "5", "6", "7", "8"])("guarantee %s", (guarantee) => {
  const rows = ROWS.filter(([of]) => of === guarantee);
  test.each(rows.map(([, name, life, fault]) => [name, life, fault] as const))(
    "finds %s",
    (_name, life, fault) => {
      expect(faultsOf(life).join("\n")).toContain(fault);
    },
  );
});

test.each([
  ["a field that no schema has", { further: 1 }, "its schema lacks"],
  ["a field of a wrong type", { pid: "1" }, "breaks its schema"],
])("finds %s", (_name, fields, fault) => {
  expect(faultsOf({ received: changed(up, { ...up, ...fields }) }).join("\n")).toContain(fault);
});

test.each([
  ["that Claude has withdrawn", "withdrawn", withdrawal],
  ["that was refused", "interrupted", answer],
])("the observer accepts the end of a prompt %s", (_name, reason, why) => {
  const received = changed(resolved, cancelled(reason));
  const traffic = [initialize, user, ask, why, end];
  expect(faultsOf({ received, traffic, sent: SENT.slice(0, 2) })).toEqual([]);
});

test("a second request under the id of a withdrawn one may be answered", () => {
  const repeated = fromClaude({
    type: "control_request",
    request_id: "p",
    request: { subtype: "hook_callback" },
  });
  const received = changed(resolved, cancelled("withdrawn"));
  const traffic = [initialize, user, ask, withdrawal, repeated, answerAfter(9), end];
  expect(faultsOf({ received, traffic, sent: SENT.slice(0, 2) })).toEqual([]);
});

describe("two Claudes that ask under the same id", () => {
  const close = (reason: string) => ({ type: "control_request_cancel", request_id: "p", reason });
  const asking = (received: number) =>
    ({ from: "claude", line: { type: "control_request", request_id: "p" }, received }) as const;

  test("what was closed before a Claude asked is not its prompt", () => {
    const messages = [close("interrupted")];
    expect(waitFaults(messages, { pid: 2, traffic: [asking(1)] })).toEqual([]);
    expect(waitFaults(messages, { pid: 2, traffic: [asking(0)] })).toHaveLength(1);
  });

  test("what is closed once more after a Claude has exited is not its prompt", () => {
    const exit = { from: "exit", received: 0 } as const;
    const pipe = { pid: 1, traffic: [asking(0), exit] };
    expect(waitFaults([close("exited"), close("interrupted")], pipe)).toEqual([]);
    expect(waitFaults([close("interrupted")], pipe)).toHaveLength(1);
  });
});

test("the observer accepts lines of ignored kinds without a message", () => {
  const lineOutcomes = [
    { ...silent, line: { type: "keep_alive" } },
    { ...silent, line: prompt, isEnding: true },
  ];
  expect(faultsOf({ lineOutcomes })).toEqual([]);
});
