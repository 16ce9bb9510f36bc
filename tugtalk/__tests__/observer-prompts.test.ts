/** The observer of prompts and answers: it finds deliberate faults, and accepts right traffic. */
import { describe, expect, test } from "bun:test";
import { waitFaults } from "../testing/observer/observer-waits.ts";
import { type Row, testFaults } from "./support/broken-traffic.ts";
import {
  answer,
  answerAfter,
  ask,
  asked,
  cancelled,
  changed,
  cost,
  type Draft,
  down,
  end,
  faultsOf,
  fromBridge,
  fromClaude,
  including,
  initialize,
  queued,
  resolved,
  SENT,
  user,
  withdrawal,
  without,
} from "./support/sample-traffic.ts";

const error: Draft = { type: "error", code: "bad_json", message: "no", recoverable: true };

testFaults("4", {
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

  test("a prompt that was closed before a Claude asked is not of that Claude", () => {
    const messages = [close("interrupted")];
    expect(waitFaults(messages, { pid: 2, traffic: [asking(1)] })).toEqual([]);
    expect(waitFaults(messages, { pid: 2, traffic: [asking(0)] })).toHaveLength(1);
  });

  test("a prompt that is closed once more after a Claude has exited is not of that Claude", () => {
    const exit = { from: "exit", received: 0 } as const;
    const pipe = { pid: 1, traffic: [asking(0), exit] };
    expect(waitFaults([close("exited"), close("interrupted")], pipe)).toEqual([]);
    expect(waitFaults([close("interrupted")], pipe)).toHaveLength(1);
  });
});
