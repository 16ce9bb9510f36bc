/** Each answer to a prompt is a message that the bridge accepts, and names its prompt. */
import { expect, test } from "bun:test";
import { InboundMessage, type OutboundMessage } from "../../src/types.ts";
import {
  acceptElicitation,
  allow,
  answerQuestions,
  completeDialog,
  deny,
  isPrompt,
  type PromptRequest,
  refuse,
  refuseElicitation,
} from "../answers.ts";

const COMMON = { ipc_version: 2, seq: 1, request_id: "r1" } as const;
const PERMISSION = {
  ...COMMON,
  type: "control_request_forward",
  tool_name: "Bash",
  input: { command: "ls" },
  tool_use_id: "call-1",
  is_question: false,
} as const;
const ELICITATION = {
  ...COMMON,
  type: "elicitation_request",
  mcp_server_name: "db",
  message: "Name?",
} as const;
const DIALOG = { ...COMMON, type: "dialog_request", dialog_kind: "survey", payload: {} } as const;
const RULE = { type: "setMode", mode: "acceptEdits", destination: "session" } as const;

const NAMES = { id: "r1", request_id: "r1" };

test.each([
  ["an approval", allow(PERMISSION), { type: "tool_approval", decision: "allow" }],
  [
    "an approval with a suggestion",
    allow(PERMISSION, [RULE]),
    { type: "tool_approval", decision: "allow", updatedPermissions: [RULE] },
  ],
  ["a denial", deny(PERMISSION), { type: "tool_approval", decision: "deny" }],
  [
    "a denial with a blank reason",
    deny(PERMISSION, ""),
    { type: "tool_approval", decision: "deny" },
  ],
  [
    "a denial with a reason",
    deny(PERMISSION, "not here"),
    { type: "tool_approval", decision: "deny", message: "not here" },
  ],
  [
    "answers to questions",
    answerQuestions(PERMISSION, { "Which?": ["A", "B"] }),
    { type: "question_answer", answers: { "Which?": ["A", "B"] } },
  ],
  [
    "the data of a form",
    acceptElicitation(ELICITATION, { name: "x" }),
    { type: "elicitation_answer", action: "accept", content: { name: "x" } },
  ],
  [
    "the result of a dialog",
    completeDialog(DIALOG, 1),
    { type: "dialog_answer", behavior: "completed", result: 1 },
  ],
  [
    "the refusal of a permission",
    refuse(PERMISSION, "no"),
    { type: "tool_approval", decision: "deny", message: "no" },
  ],
  ["the refusal of a form", refuse(ELICITATION), { type: "elicitation_answer", action: "decline" }],
  [
    "a form that a person leaves undecided",
    refuseElicitation(ELICITATION, "cancel"),
    { type: "elicitation_answer", action: "cancel" },
  ],
  ["the refusal of a dialog", refuse(DIALOG), { type: "dialog_answer", behavior: "cancelled" }],
] as const)("%s names its prompt, and the bridge accepts it", (_, answer, expected) => {
  const sent = JSON.parse(JSON.stringify(answer));
  expect(sent).toEqual({ ...expected, ...NAMES });
  expect(InboundMessage.parse(sent)).toEqual(sent);
});

test("the three requests that wait for a person are prompts, and nothing else is", () => {
  const prompts: readonly PromptRequest[] = [PERMISSION, ELICITATION, DIALOG];
  expect(prompts.every(isPrompt)).toBe(true);
  const other: OutboundMessage = { ipc_version: 2, seq: 1, type: "session_state", state: "idle" };
  expect(isPrompt(other)).toBe(false);
});
