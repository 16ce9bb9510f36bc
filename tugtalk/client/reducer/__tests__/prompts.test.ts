/** Prompts: opened and closed once, with a receipt at the tool call. Made up. */
import { expect, test } from "bun:test";
import type { ReducedSession } from "../../reduced-session.ts";
import { itemsOf, reduced } from "./reduced.ts";

const TURN = { type: "turn_started", turn_id: "t", message_ids: [], trigger: "user" };
const CALL = {
  type: "tool_use",
  turn_id: "t",
  msg_id: "m",
  block_index: 0,
  tool_use_id: "toolu_1",
  tool_name: "Write",
  status: "complete",
  input: { file_path: "/a" },
};
const FORWARDED = {
  type: "control_request_forward",
  turn_id: "t",
  request_id: "r",
  tool_name: "Write",
  tool_use_id: "toolu_1",
  input: { file_path: "/a" },
  is_question: false,
  permission_suggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
  decision_reason: "It writes.",
};
const RESOLVED = { type: "control_request_resolved", request_id: "r", outcome: "allow" };
const CANCELLED = { type: "control_request_cancel", request_id: "r", reason: "interrupted" };
const RESULT = {
  type: "tool_result",
  turn_id: "t",
  tool_use_id: "toolu_1",
  output: "done",
  is_error: false,
};

const ASKING = reduced([TURN, CALL, FORWARDED]);

function toolOf(state: ReducedSession) {
  return itemsOf(state).find(({ kind }) => kind === "tool");
}

test("a permission prompt has Claude's values, and its tool call waits", () => {
  expect(ASKING.prompts).toEqual([
    {
      kind: "permission",
      requestId: "r",
      turnId: "t",
      toolUseId: "toolu_1",
      toolName: "Write",
      input: { file_path: "/a" },
      permissionSuggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
      decisionReason: "It writes.",
    },
  ]);
  expect(toolOf(ASKING)).toMatchObject({ status: "waiting" });
});

test("a prompt and its receipt have the fields that a host adds to the messages of its bridge", () => {
  const change = { type: "setMode", mode: "acceptEdits", destination: "session" };
  const asking = reduced([TURN, CALL, { ...FORWARDED, at: 5 }]);
  expect(asking.prompts).toMatchObject([{ requestId: "r", createdAt: 5 }]);
  const note = { by: "desk", updated_permissions: [change], at: 9 };
  const state = reduced([{ ...RESOLVED, ...note }], asking);
  const end = {
    requestId: "r",
    outcome: "allow",
    by: "desk",
    updatedPermissions: [change],
    at: 9,
  } as const;
  expect(toolOf(state)).toMatchObject({ status: "running", permission: end });
  expect(state.closedPrompts).toEqual([{ ...end, toolUseId: "toolu_1" }]);
});

test("the first end of a prompt counts", () => {
  const state = reduced([RESOLVED, CANCELLED], ASKING);
  expect(toolOf(state)).toMatchObject({ permission: { outcome: "allow" } });
  expect(state.closedPrompts).toHaveLength(1);
});

test("a request that another Claude makes under the same id is a prompt of its own", () => {
  const state = reduced([RESOLVED, FORWARDED], ASKING);
  expect(state.prompts).toMatchObject([{ requestId: "r" }]);
  expect(state.closedPrompts).toEqual([]);
});

test("a denied call stays denied when its result comes", () => {
  const denial = { ...RESOLVED, outcome: "deny" };
  const state = reduced([denial, { ...RESULT, is_error: true, output: "refused" }], ASKING);
  expect(toolOf(state)).toMatchObject({ status: "denied", result: { output: "refused" } });
});

test("a cancelled prompt leaves its reason at the call, which goes on", () => {
  expect(toolOf(reduced([CANCELLED], ASKING))).toMatchObject({
    status: "running",
    permission: { outcome: "cancelled", reason: "interrupted" },
  });
});

test("the input of a call that comes after its prompt leaves it waiting", () => {
  const early = reduced([TURN, { ...CALL, status: "streaming" }, FORWARDED]);
  expect(toolOf(reduced([CALL], early))).toMatchObject({ status: "waiting" });
});

test("questions without a text are left out, and missing ones are none", () => {
  const ask = { ...FORWARDED, is_question: true, tool_name: "AskUserQuestion" };
  const state = reduced([
    TURN,
    { ...ask, input: { questions: [{ question: "Which?" }, { header: "?" }, 7] } },
    { ...ask, request_id: "r2", input: {} },
  ]);
  expect(state.prompts).toMatchObject([
    { kind: "question", questions: [{ question: "Which?" }] },
    { kind: "question", questions: [] },
  ]);
});

test("forms and dialogs are prompts too, oldest first", () => {
  const state = reduced([
    {
      type: "elicitation_request",
      request_id: "e",
      mcp_server_name: "tide",
      message: "Your name?",
      requested_schema: { type: "object" },
      property_order: ["name"],
    },
    { type: "dialog_request", request_id: "d", dialog_kind: "choice", payload: { one: 1 } },
  ]);
  expect(state.prompts).toEqual([
    {
      kind: "elicitation",
      requestId: "e",
      serverName: "tide",
      message: "Your name?",
      requestedSchema: { type: "object" },
      propertyOrder: ["name"],
    },
    { kind: "dialog", requestId: "d", dialogKind: "choice", payload: { one: 1 } },
  ]);
});

test("a new bridge closes the prompts, turns and calls that the one before has left open", () => {
  const ack = { type: "protocol_ack", seq: 1, instance_id: "one" };
  const left = reduced([ack, TURN, CALL, FORWARDED]);
  const state = reduced([{ ...ack, instance_id: "two" }], left);
  expect(state.prompts).toEqual([]);
  expect(state.openEntries).toMatchObject([
    {
      status: "cancelled",
      end: { subtype: "exited", isError: true },
      items: [{ status: "abandoned", permission: { outcome: "cancelled", reason: "exited" } }],
    },
  ]);
});
