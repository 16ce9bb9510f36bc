/** The events about prompts and messages for clients that follow all sessions. */
import { expect, test } from "bun:test";
import type { PromptEnd } from "../../../client/reduced-session.ts";
import { boardFrames } from "../board-frames.ts";
import type { NewEntry } from "../session-state.ts";

const SUGGESTION = { type: "setMode", mode: "acceptEdits", destination: "session" };
const QUESTION = {
  question: "Which?",
  header: "Pick",
  options: [{ label: "A" }],
  multiSelect: false,
};

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

/** The events for one message of the bridge, or one event of the host. */
function told(message: { readonly type: string }, ends: readonly PromptEnd[] = []) {
  const { type, ...data } = message;
  const entry: NewEntry = { type, data };
  return boardFrames("s1", [entry], ends).map((frame) => {
    return { type: frame.type, data: JSON.parse(frame.data) };
  });
}

/** A prompt as the host passes it on. */
function opened<Message extends { readonly type: string }>(message: Message) {
  return told({ ...message, at: 1700 });
}

const ofPrompt = (requestId: string) => {
  return { sessionId: "s1", stageId: "s1", createdAt: 1700, requestId, request_id: requestId };
};

const REQUESTED: readonly (readonly [string, string, { readonly type: string }, object])[] = [
  [
    "permission prompt",
    "approval-requested",
    PERMISSION,
    {
      ...ofPrompt("r1"),
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
      ...ofPrompt("r2"),
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
      ...ofPrompt("r3"),
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
    {
      ...ofPrompt("r5"),
      serverName: "tide",
      message: "Visit",
      url: "https://a.example/",
    },
  ],
  [
    "dialog",
    "dialog-requested",
    DIALOG,
    {
      ...ofPrompt("r4"),
      toolUseId: "toolu_4",
      dialogKind: "survey",
      payload: { q: 1 },
    },
  ],
];

test.each(REQUESTED)(
  "a %s is announced as %s with all that a person needs",
  (_name, type, message, data) => {
    expect(opened(message)).toEqual([{ type, data }]);
  },
);

test("a message that is no prompt, and a prompt without its fields, announce none", () => {
  expect(told({ type: "session_state" })).toEqual([]);
  expect(told({ type: "control_request_forward" })).toEqual([]);
});

test("a permission without tool call, suggestions and reasons is announced without them", () => {
  const { tool_use_id: _id, ...rest } = PERMISSION;
  const bare = { ...rest, permission_suggestions: null, blocked_path: null, decision_reason: null };
  const [event] = opened({
    ...bare,
    display_name: 7,
    description: [],
    parent_tool_use_id: undefined,
  });
  expect(event?.data).toEqual({
    ...ofPrompt("r1"),
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
  const [event] = opened({ ...ASKED, input: { questions } });
  expect(event).toMatchObject({ type: "question-requested", data: { questions: shown } });
});

const RESOLVED = { type: "control_request_resolved", request_id: "r1" };
const CANCELLED = { type: "control_request_cancel", request_id: "r1" };
const NAMES = { sessionId: "s1", stageId: "s1", requestId: "r1" };

test.each<readonly [string, readonly [{ readonly type: string }, PromptEnd], string, object]>([
  [
    "an answer",
    [RESOLVED, { requestId: "r1", toolUseId: "toolu_1", outcome: "allow", by: "phone", at: 1800 }],
    "approval-resolved",
    { ...NAMES, toolUseId: "toolu_1", decision: "allow", by: "phone", at: 1800 },
  ],
  [
    "an answer that changes permissions",
    [RESOLVED, { requestId: "r1", outcome: "allow", updatedPermissions: [SUGGESTION], at: 1800 }],
    "approval-resolved",
    { ...NAMES, decision: "allow", updatedPermissions: [SUGGESTION], at: 1800 },
  ],
  [
    "a time-out",
    [
      CANCELLED,
      { requestId: "r1", toolUseId: "toolu_1", outcome: "cancelled", reason: "timeout", at: 1900 },
    ],
    "approval-cancelled",
    { ...NAMES, toolUseId: "toolu_1", reason: "timeout", at: 1900 },
  ],
])(
  "%s is announced with the session, the prompt and the time",
  (_name, [said, end], type, data) => {
    expect(told(said, [end])).toEqual([{ type, data }]);
  },
);

test("messages are announced by the names that other hosts give them, and other events by their own", () => {
  const message = { message_id: "m1", message: "Later" };
  const names = { sessionId: "s1", stageId: "s1" };
  expect(told({ type: "message_queued", ...message })).toEqual([
    { type: "message-queued", data: { ...names, ...message } },
  ]);
  expect(told({ type: "message_sent", ...message })).toEqual([
    { type: "message-sent", data: { ...names, ...message } },
  ]);
  expect(told({ type: "message_taken", message_id: "m1" } as { type: string })).toEqual([
    { type: "message_taken", data: { session_id: "s1", message_id: "m1" } },
  ]);
  expect(told({ type: "session_changed" })).toEqual([]);
});
