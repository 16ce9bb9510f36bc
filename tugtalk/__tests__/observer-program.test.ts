/** The observer of the host's tools and hooks: it finds deliberate faults, and accepts right traffic. */
import { expect, test } from "bun:test";
import { testFaults } from "./support/broken-traffic.ts";
import {
  answer,
  ask,
  asked,
  cancelled,
  changed,
  type Draft,
  down,
  end,
  faultsOf,
  fromBridge,
  fromClaude,
  GOOD,
  initialize,
  other,
  otherEnd,
  resolved,
  SENT,
  user,
  without,
} from "./support/sample-traffic.ts";

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

testFaults("10", {
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
