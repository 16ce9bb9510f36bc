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

const copy = {
  type: "transcript_lines",
  session_id: "s",
  file: "s.jsonl",
  offset: 0,
  lines: ["{}"],
} as const;
const through = (one: object) => ({ ...copy, ...one, through_turn_id: begin.turn_id });

const request = (request_id: string, fields: object) => ({
  type: "control_request",
  request_id,
  request: fields,
});
const ofServer = (request_id: string, message: object) =>
  fromClaude(request(request_id, { subtype: "mcp_message", server_name: "host", message }));
const declaring = fromBridge(
  request("i", { subtype: "initialize", sdkMcpServers: ["host"], hooks: {} }),
);
const call = ofServer("c", {
  id: 2,
  method: "tools/call",
  params: { name: "level", _meta: { "claudecode/toolUseId": "tool" } },
});
const callCancel = ofServer("n", { method: "notifications/cancelled", params: { requestId: 2 } });
const listing = ofServer("l", { id: 1, method: "tools/list" });
const submitted = fromClaude(
  request("h", { subtype: "hook_callback", callback_id: "UserPromptSubmit", input: {} }),
);
const interrupt = fromBridge(request("s", { subtype: "interrupt" }));
const replyTo = (request_id: string, received = 0) =>
  fromBridge(
    { type: "control_response", response: { subtype: "success", request_id, response: {} } },
    received,
  );
const callAnswer = replyTo("c");
const answerLater = replyTo("c", 8);
const toolRequest: Draft = {
  type: "host_tool_request",
  request_id: "p",
  tool_name: "level",
  input: {},
  tool_use_id: "tool",
  turn_id: "t",
};
const ANSWERED: Draft = { ...resolved, outcome: "answered" };
/** The host answers a call. */
const called = {
  received: GOOD.map((one) => (one === asked ? toolRequest : one === resolved ? ANSWERED : one)),
  sent: SENT.map((one) =>
    one["id"] === "yes" ? { type: "host_tool_answer", id: "yes", request_id: "p" } : one,
  ),
};

/** What the host receives in place of the good messages, or another life; and what is found in it. */
type Row = readonly [broken: readonly Draft[] | Life, fault: string];

/** What is broken, by guarantee. */
const ROWS: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  "1": {
    "a number that is left out": [changed(up, { ...up, seq: 7 }), "seq 7"],
    "a message before the acknowledgement": [[up, ...without(up)], "precedes"],
    "a second acknowledgement": [including(up, ack), "comes twice"],
    "an answer to what was never sent": [{ sent: SENT.slice(1) }, "not sent by then"],
    "an answer that comes before its question": [{ after: 9 }, "not sent by then"],
    "a cost without its turn's end": [including(down, begin, cost, cutOff), "of no turn_complete"],
    "an end without its cost": [without(cost), "without its cost"],
  },
  "2": {
    "a turn without an end": [without(cost, finish, completed), "open at process_exit"],
    "a turn that ends twice": [including(completed, cutOff), "not open"],
    "ends in another order than starts": [
      changed(finish, cutOff).flatMap((one) =>
        one === begin ? [other, begin] : one === completed ? [completed, otherEnd] : [one],
      ),
      "ends before",
    ],
    "a message of a turn that is over": [including(down, { ...partial, msg_id: "n" }), "not open"],
    "a block that outlives its turn": [without(whole), "outlives its turn"],
  },
  "3": {
    "a message without a final receipt": [without(completed), "is left started"],
    "a message with two": [
      including(down, { ...completed, status: "failed" }),
      "is failed after completed",
    ],
    "a receipt before the end of its turn": [
      including(cost, completed).filter(
        (one, at, all) => one !== completed || all.indexOf(one) === at,
      ),
      "before the end of its turn",
    ],
    "a receipt that goes back": [including(cost, { ...queued, in_reply_to: "yes" }), "goes back"],
    "a message that nobody takes up": [
      { received: without(queued, started, completed), sent: SENT },
      "never answered",
    ],
    "a message that Claude gets twice": [
      { traffic: [initialize, user, user, ask, answer, end] },
      "twice",
    ],
  },
  "4": {
    "a prompt that is never closed": [
      { received: without(resolved), traffic: [initialize, ask, end] },
      "open at process_exit",
    ],
    "a prompt that is closed twice": [
      including(cost, { ...resolved, in_reply_to: "init" }),
      "not open",
    ],
    "a prompt that is shown twice": [
      including(down, { ...asked, turn_id: undefined }),
      "asked again",
    ],
    "two answers to one message": [
      including(cost, { ...error, in_reply_to: "say" }),
      "answered 2 times",
    ],
    "an answer of a wrong type": [
      changed(resolved, { ...resolved, in_reply_to: "say" }).map((one) =>
        one === queued ? { ...queued, in_reply_to: "yes" } : one,
      ),
      "is answered by",
    ],
    "an answer that never reaches Claude": [
      { traffic: [initialize, user, ask, end] },
      "answered 0 times",
    ],
    ...Object.fromEntries(
      ["withdrawn", "interrupted", "timeout", "exited"].map((reason): [string, Row] => [
        `a prompt that is closed as ${reason} while Claude waits`,
        [
          {
            received: changed(resolved, cancelled(reason)),
            sent: SENT.slice(0, 2),
            traffic: [initialize, user, ask, end],
          },
          "for which Claude still waits",
        ],
      ]),
    ),
    "a prompt that is closed before Claude has the answer": [
      { traffic: [initialize, user, ask, answerAfter(10), end] },
      "for which Claude still waits",
    ],
    "an answer to what Claude has taken back": [
      {
        received: changed(resolved, cancelled("withdrawn")),
        sent: SENT.slice(0, 2),
        traffic: [initialize, user, ask, withdrawal, answerAfter(9), end],
      },
      "is answered after it was withdrawn",
    ],
    "an answer to what Claude did not ask": [
      { traffic: [initialize, user, answer, end] },
      "was not asked",
    ],
    "a request that is not forwarded": [
      { received: without(asked, resolved), traffic: [initialize, ask, end] },
      "not forwarded",
    ],
    "something before initialize": [
      { traffic: [user, initialize, ask, answer, end] },
      "before initialize",
    ],
    "a line that ends a real CLI": [
      { traffic: [initialize, fromBridge({ type: "user" }), ask, answer, end] },
      "is written",
    ],
  },
  "5": {
    "news that is kept back": [
      { lineOutcomes: [{ ...silent, line: { type: "brand_new" } }] },
      "nothing is told",
    ],
    "a result that is kept back": [
      { lineOutcomes: [{ ...silent, line: { type: "result" } }] },
      "nothing is told",
    ],
    "a prompt that is kept back": [
      { lineOutcomes: [{ ...silent, line: prompt }] },
      "nothing is told",
    ],
    "a quotation of output as output": [
      {
        received: including(partial, { type: "user_text", kind: "command_output", text: "$1" }),
        traffic: [initialize, user, quotation, ask, answer, end],
      },
      "is no output",
    ],
  },
  "6": {
    "a whole that is not its parts": [changed(whole, { ...whole, text: "b" }), "another text"],
    "a part after the whole": [including(asked, partial), "goes on after its end"],
    "another block in the same place": [
      including(asked, { ...whole, type: "thinking_text" }),
      "has the place of another",
    ],
    "an abandoned block with a text": [
      changed(whole, { ...whole, status: "abandoned" }),
      "has a text",
    ],
  },
  "7": {
    "a gap after a pause": [
      GOOD.map((one, at) => (at < 6 ? one : { ...one, seq: at + 3 })),
      "seq 9 at place 7",
    ],
    "a message that comes twice": [
      GOOD.map((one, at) => (at < 6 ? one : { ...one, seq: at })),
      "seq 6 at place 7",
    ],
  },
  "8": {
    "a process that never exits": [without(down), "processes are left"],
    "an exit of what never started": [without(up), "was not started"],
    "a process beside another": [including(queued, { ...up, pid: 2 }), "beside another"],
  },
  "9": {
    "lines that are left out of a copy": [including(down, { ...copy, offset: 7 }), "ends at 0"],
    "lines that come twice": [including(down, copy, copy), "ends at 3"],
    "two lines as one": [including(down, { ...copy, lines: ["{}\n{}"] }), "more than a line"],
    "lines after the exit": [[...without(), copy], "after process_exit"],
    "a copy that is through an open turn": [
      including(cost, { ...copy, through_turn_id: begin.turn_id }),
      "has not ended",
    ],
    "a copy that is through a turn twice": [
      including(down, ...[copy, { ...copy, offset: 3, lines: [] }].map(through)),
      "a second time",
    ],
    "a message without news": [including(down, { ...copy, lines: [] }), "tells nothing"],
  },
  "10": {
    "a call that is closed while Claude waits": [
      { ...called, traffic: [declaring, user, call, end] },
      "for which Claude still waits",
    ],
    "a call that is answered twice": [
      { ...called, traffic: [declaring, user, call, callAnswer, callAnswer, end] },
      "answered 2 times",
    ],
    "an answer to a call that Claude has cancelled": [
      {
        ...called,
        traffic: [declaring, user, call, callCancel, replyTo("n"), answerLater, end],
      },
      "after it was withdrawn",
    ],
    "a call that nobody hears of": [
      { received: without(asked, resolved), traffic: [declaring, user, call, end] },
      "neither passed on nor answered",
    ],
    "a call that is never closed": [
      { received: changed(asked, toolRequest).filter((one) => one !== resolved) },
      "open at process_exit",
    ],
    "a call that outlives its turn": [
      {
        received: [
          ...changed(asked, toolRequest).filter((one) => one !== resolved && one !== down),
          ...[other, ANSWERED, otherEnd, down],
        ],
      },
      "outlives its turn",
    ],
    "a step of the handshake without an answer": [
      { received: without(asked, resolved), traffic: [declaring, user, listing, end] },
      "answered 0 times",
    ],
    "a step of the handshake with two": [
      {
        received: without(asked, resolved),
        traffic: [declaring, user, listing, replyTo("l"), replyTo("l"), end],
      },
      "answered 2 times",
    ],
    "a hook that nobody hears of": [
      { received: without(asked, resolved), traffic: [declaring, user, submitted, end] },
      "neither passed on nor answered",
    ],
    "an interrupt while Claude waits at the hook of a message": [
      {
        received: without(asked, resolved),
        traffic: [declaring, user, submitted, interrupt, replyTo("h"), end],
      },
      "is interrupted while it waits",
    ],
  },
};

test("the observer finds no fault in correct traffic", () => {
  expect(faultsOf({})).toEqual([]);
});

test("the observer finds no fault in a call of a tool of the host", () => {
  const traffic = [declaring, user, listing, replyTo("l"), call, callAnswer, end];
  expect(faultsOf({ ...called, traffic })).toEqual([]);
});

test("the observer finds no fault in a call that Claude cancels", () => {
  const received = called.received.map((one) =>
    one === ANSWERED ? cancelled("interrupted") : one,
  );
  const traffic = [declaring, user, call, callCancel, replyTo("n"), end];
  expect(faultsOf({ received, traffic, sent: SENT.slice(0, 2) })).toEqual([]);
});

test("a hook whose input is too deep to be passed on is a request like any other", () => {
  const input: unknown = JSON.parse(`${'{"a":['.repeat(30_000)}1${"]}".repeat(30_000)}`);
  const request = { subtype: "hook_callback", callback_id: "guard", input };
  const deep = fromClaude({ type: "control_request", request_id: "h", request });
  expect(faultsOf({ traffic: [initialize, user, ask, deep, answer, end] }).join("\n")).toContain(
    "request h is neither passed on nor answered",
  );
});

describe.each(Object.entries(ROWS))("guarantee %s", (_guarantee, rows) => {
  test.each(Object.entries(rows))("finds %s", (_name, [broken, fault]) => {
    const life = "length" in broken ? { received: broken } : broken;
    expect(faultsOf(life).join("\n")).toContain(fault);
  });
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
