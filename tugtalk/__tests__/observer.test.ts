/** The observer itself: it finds deliberate faults, for each guarantee in more than one way. */
import { expect, test } from "bun:test";
import { testFaults } from "./support/broken-traffic.ts";
import {
  ack,
  answer,
  ask,
  asked,
  begin,
  changed,
  completed,
  cost,
  cutOff,
  down,
  end,
  faultsOf,
  finish,
  fromClaude,
  GOOD,
  including,
  initialize,
  other,
  otherEnd,
  partial,
  queued,
  SENT,
  started,
  up,
  user,
  whole,
  without,
} from "./support/sample-traffic.ts";

const silent = { hasEmitted: false, isReady: true, isEnding: false, isRepeated: false };
const quoted = "<local-command-stdout>$1</local-command-stdout>";
const quotation = fromClaude({
  type: "user",
  isReplay: true,
  uuid: "a",
  message: { role: "user", content: [{ type: "text", text: quoted }] },
});
const prompt = { type: "control_request", request: { subtype: "can_use_tool" } };

testFaults("1", {
  "a number that is left out": [changed(up, { ...up, seq: 7 }), "seq 7"],
  "a message before the acknowledgement": [[up, ...without(up)], "precedes"],
  "a second acknowledgement": [including(up, ack), "comes twice"],
  "an answer to what was never sent": [{ sent: SENT.slice(1) }, "not sent by then"],
  "an answer that comes before its question": [{ after: 9 }, "not sent by then"],
  "a cost without its turn's end": [including(down, begin, cost, cutOff), "of no turn_complete"],
  "an end without its cost": [without(cost), "without its cost"],
});

testFaults("2", {
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
});

testFaults("3", {
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
});

testFaults("5", {
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
});

testFaults("6", {
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
});

testFaults("7", {
  "a gap after a pause": [
    GOOD.map((one, at) => (at < 6 ? one : { ...one, seq: at + 3 })),
    "seq 9 at place 7",
  ],
  "a message that comes twice": [
    GOOD.map((one, at) => (at < 6 ? one : { ...one, seq: at })),
    "seq 6 at place 7",
  ],
});

testFaults("8", {
  "a process that never exits": [without(down), "processes are left"],
  "an exit of what never started": [without(up), "was not started"],
  "a process beside another": [including(queued, { ...up, pid: 2 }), "beside another"],
});

test("the observer finds no fault in correct traffic", () => {
  expect(faultsOf({})).toEqual([]);
});

test.each([
  ["a field that no schema has", { further: 1 }, "its schema lacks"],
  ["a field of a wrong type", { pid: "1" }, "breaks its schema"],
])("finds %s", (_name, fields, fault) => {
  expect(faultsOf({ received: changed(up, { ...up, ...fields }) }).join("\n")).toContain(fault);
});

test("the observer accepts lines of ignored kinds without a message", () => {
  const lineOutcomes = [
    { ...silent, line: { type: "keep_alive" } },
    { ...silent, line: prompt, isEnding: true },
  ];
  expect(faultsOf({ lineOutcomes })).toEqual([]);
});
