import { expect, test } from "bun:test";
import { initialSession, reduceSession } from "../../../client/reduce-session.ts";
import type { ReducedSession } from "../../../client/reduced-session.ts";
import type { OutboundMessage } from "../../../src/types.ts";
import {
  pendingPrompt,
  promptCancelled,
  promptRequested,
  promptResolved,
} from "../prompt-events.ts";

const ORIGIN = { sessionId: "s1", createdAt: 1700 };
const SUGGESTION = { type: "setMode", mode: "acceptEdits", destination: "session" };
const QUESTION = {
  question: "Which?",
  header: "Pick",
  options: [{ label: "A" }],
  multiSelect: false,
};

const MODE = { type: "setMode", mode: "acceptEdits", destination: "session" };

const PERMISSION = {
  type: "control_request_forward",
  request_id: "r1",
  tool_name: "Write",
  input: { file_path: "/a", content: "x" },
  tool_use_id: "toolu_1",
  turn_id: "t1",
  parent_tool_use_id: "toolu_0",
  permission_suggestions: [SUGGESTION],
  blocked_path: "/a",
  decision_reason: "outside",
  display_name: "Write",
  description: "a",
  is_question: false,
};
const ASKED = {
  type: "control_request_forward",
  request_id: "r2",
  tool_name: "AskUserQuestion",
  input: { questions: [QUESTION] },
  tool_use_id: "toolu_2",
  is_question: true,
};
const FORM = {
  type: "elicitation_request",
  request_id: "r3",
  mcp_server_name: "tide",
  message: "Where?",
  requested_schema: { type: "object" },
  property_order: ["port"],
};
const PAGE = {
  type: "elicitation_request",
  request_id: "r5",
  mcp_server_name: "tide",
  message: "Visit",
  url: "https://a.example/",
};
const DIALOG = {
  type: "dialog_request",
  request_id: "r4",
  dialog_kind: "survey",
  payload: { q: 1 },
  tool_use_id: "toolu_4",
};

/** As the bridge says it. */
function said(fields: object): OutboundMessage {
  const message = { ipc_version: 2, seq: 1, ...fields };
  // The rows hold what the type of the message demands, and on purpose what it does not.
  return message as unknown as OutboundMessage;
}

function opened(fields: object) {
  const prompt = pendingPrompt(said(fields), ORIGIN);
  if (prompt === undefined) throw new Error("no prompt");
  return prompt;
}

const COMMON = { sessionId: "s1", stageId: "s1", createdAt: 1700 };

const REQUESTED: readonly (readonly [string, string, object, object])[] = [
  [
    "permission prompt",
    "approval-requested",
    PERMISSION,
    {
      ...COMMON,
      requestId: "r1",
      toolUseId: "toolu_1",
      turnId: "t1",
      parentToolUseId: "toolu_0",
      toolName: "Write",
      input: { file_path: "/a", content: "x" },
      suggestions: [SUGGESTION],
      blockedPath: "/a",
      decisionReason: "outside",
      displayName: "Write",
      description: "a",
    },
  ],
  [
    "question",
    "question-requested",
    ASKED,
    {
      ...COMMON,
      requestId: "r2",
      toolUseId: "toolu_2",
      toolName: "AskUserQuestion",
      input: { questions: [QUESTION] },
      questions: [QUESTION],
    },
  ],
  [
    "form of an MCP server",
    "elicitation-requested",
    FORM,
    {
      ...COMMON,
      requestId: "r3",
      serverName: "tide",
      message: "Where?",
      requestedSchema: { type: "object" },
      propertyOrder: ["port"],
    },
  ],
  [
    "page of an MCP server",
    "elicitation-requested",
    PAGE,
    { ...COMMON, requestId: "r5", serverName: "tide", message: "Visit", url: "https://a.example/" },
  ],
  [
    "dialog",
    "dialog-requested",
    DIALOG,
    { ...COMMON, requestId: "r4", toolUseId: "toolu_4", dialogKind: "survey", payload: { q: 1 } },
  ],
];

test.each(REQUESTED)(
  "a %s is announced as %s with all that a person needs",
  (_name, type, message, data) => {
    const event = promptRequested(opened(message));
    expect(event as object).toEqual({ type, data });
  },
);

test("a message that is no prompt opens none", () => {
  expect(pendingPrompt(said({ type: "session_state", state: "idle" }), ORIGIN)).toBeUndefined();
});

test("a permission without tool call, suggestions and reasons is announced without them", () => {
  const { tool_use_id: _id, ...rest } = PERMISSION;
  const bare = { ...rest, permission_suggestions: null, blocked_path: null, decision_reason: null };
  const event = promptRequested(
    opened({ ...bare, display_name: 7, description: [], parent_tool_use_id: undefined }),
  );
  expect(event.data).toEqual({
    ...COMMON,
    requestId: "r1",
    turnId: "t1",
    toolName: "Write",
    input: PERMISSION.input,
    suggestions: [],
  });
});

test.each([
  ["missing", undefined, []],
  ["null", null, []],
  ["a text", "Which?", []],
  ["an object", { question: "Which?" }, []],
  ["a list with a number, null and a list", [7, null, [], QUESTION], [QUESTION]],
  ["a list with a question without a text", [{ header: "h" }, QUESTION], [QUESTION]],
])("questions that are %s give only those that can be shown", (_name, questions, shown) => {
  const prompt = opened({ ...ASKED, input: { questions } });
  expect(prompt).toMatchObject({ type: "question", questions: shown, input: { questions } });
});

test.each([
  ["permission prompt", PERMISSION],
  ["question", ASKED],
  ["form of an MCP server", FORM],
  ["dialog", DIALOG],
])(
  "the message of the bridge and the event of the host about a %s open one prompt, whichever comes first",
  (_name, message) => {
    const prompt = opened(message);
    const { type, data } = promptRequested(prompt);
    const event = { ...data, type };
    const both = [said({ ...message, seq: undefined }), event];
    const opening = (inputs: readonly object[]) =>
      inputs.reduce<ReducedSession>(
        (state, input) => reduceSession(state, said(input)),
        initialSession,
      ).prompts;
    const [first] = opening(both);
    expect(opening(both)).toHaveLength(1);
    expect(opening([...both].reverse())).toHaveLength(1);
    expect(first).toMatchObject({ requestId: prompt.requestId });
    const [alone] = opening([event]);
    expect(opening([...both].reverse())[0]).toEqual(alone);
  },
);

test.each([
  [
    "an answer",
    promptResolved(opened(PERMISSION), { decision: "allow", by: "phone", at: 1800 }),
    "approval-resolved",
    {
      sessionId: "s1",
      stageId: "s1",
      requestId: "r1",
      toolUseId: "toolu_1",
      decision: "allow",
      by: "phone",
      at: 1800,
    },
  ],
  [
    "an answer that changes permissions",
    promptResolved(opened(PERMISSION), { decision: "allow", updatedPermissions: [MODE], at: 1800 }),
    "approval-resolved",
    {
      sessionId: "s1",
      stageId: "s1",
      requestId: "r1",
      toolUseId: "toolu_1",
      decision: "allow",
      updatedPermissions: [MODE],
      at: 1800,
    },
  ],
  [
    "an answer of a client without a name",
    promptResolved(opened(FORM), { decision: "answered", at: 1800 }),
    "approval-resolved",
    { sessionId: "s1", stageId: "s1", requestId: "r3", decision: "answered", at: 1800 },
  ],
  [
    "a time-out",
    promptCancelled(opened(ASKED), { reason: "timeout", at: 1900 }),
    "approval-cancelled",
    {
      sessionId: "s1",
      stageId: "s1",
      requestId: "r2",
      toolUseId: "toolu_2",
      reason: "timeout",
      at: 1900,
    },
  ],
])("%s is announced with the session, the prompt and the time", (_name, event, type, data) => {
  expect(event as object).toEqual({ type, data });
});

test.each([
  ["approval-resolved", promptResolved(opened(ASKED), { decision: "answered", at: 1 })],
  ["approval-cancelled", promptCancelled(opened(ASKED), { reason: "exited", at: 1 })],
])("%s closes a question for the reducer", (_name, end) => {
  const { type, data } = promptRequested(opened(ASKED));
  const open = reduceSession(initialSession, { ...data, type });
  expect(open.prompts).toHaveLength(1);
  const closed = reduceSession(open, { ...end.data, type: end.type });
  expect(closed.prompts).toEqual([]);
  expect(closed.closedPrompts).toEqual(["r2"]);
});
