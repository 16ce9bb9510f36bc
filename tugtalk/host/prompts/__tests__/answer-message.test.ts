import { expect, test } from "bun:test";
import type { PendingPrompt } from "../../../client/host-api.ts";
import { InboundMessage } from "../../../src/types.ts";
import { ApiError } from "../../api/api-error.ts";
import type { PromptAnswer } from "../../api/host-session.ts";
import { answerMessage } from "../answer-message.ts";

const COMMON = { sessionId: "s", stageId: "s", requestId: "r", createdAt: 1 };
const RULE = { type: "setMode", mode: "acceptEdits", destination: "session" };
const OTHER_RULE = { type: "addDirectories", directories: ["/a"], destination: "session" };

const PROMPTS = {
  approval: {
    ...COMMON,
    type: "approval",
    toolName: "Bash",
    input: { command: "ls" },
    suggestions: [RULE, OTHER_RULE],
  },
  question: {
    ...COMMON,
    type: "question",
    toolName: "AskUserQuestion",
    input: {},
    questions: [
      { question: "Which DB?", options: [{ label: "PG" }, { label: "MySQL" }] },
      { question: "Which colours?", options: [{ label: "Red" }], multiSelect: true },
      { question: "0", options: [{ label: "zero" }] },
    ],
  },
  elicitation: { ...COMMON, type: "elicitation", serverName: "tide", message: "Where?" },
  dialog: { ...COMMON, type: "dialog", dialogKind: "survey", payload: {} },
} as const satisfies Record<string, PendingPrompt>;

type Kind = keyof typeof PROMPTS;

/** What reaches the bridge: the message after the bridge's own schema. */
function sent(kind: Kind, answer: PromptAnswer) {
  const message: unknown = JSON.parse(JSON.stringify(answerMessage(PROMPTS[kind], answer)));
  return InboundMessage.parse(message);
}

function refusalOf(kind: Kind, answer: PromptAnswer): ApiError {
  try {
    answerMessage(PROMPTS[kind], answer);
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error("the answer is not refused");
}

type Approval = Extract<PromptAnswer, { kind: "approval" }>;

function allow(more: Partial<Approval> = {}): Approval {
  return { kind: "approval", decision: "allow", ...more };
}

function deny(more: Partial<Approval> = {}): Approval {
  return { kind: "approval", decision: "deny", ...more };
}

const APPROVALS: readonly (readonly [Kind, Approval, object])[] = [
  ["approval", allow(), { decision: "allow" }],
  ["approval", allow({ reason: "fine" }), { decision: "allow" }],
  [
    "approval",
    allow({ updatedInput: { command: "pwd" } }),
    { decision: "allow", updatedInput: { command: "pwd" } },
  ],
  ["approval", allow({ suggestions: [] }), { decision: "allow" }],
  [
    "approval",
    allow({ suggestions: [1] }),
    { decision: "allow", updatedPermissions: [OTHER_RULE] },
  ],
  [
    "approval",
    allow({ updatedPermissions: [RULE] }),
    { decision: "allow", updatedPermissions: [RULE] },
  ],
  [
    "approval",
    allow({ suggestions: [1], updatedPermissions: [RULE] }),
    { decision: "allow", updatedPermissions: [OTHER_RULE, RULE] },
  ],
  [
    "approval",
    allow({ suggestions: [1, 0, 1] }),
    { decision: "allow", updatedPermissions: [OTHER_RULE, RULE] },
  ],
  ["approval", deny(), { decision: "deny" }],
  ["approval", deny({ reason: " " }), { decision: "deny" }],
  ["approval", deny({ reason: "no, use pnpm" }), { decision: "deny", message: "no, use pnpm" }],
  [
    "approval",
    deny({ reason: "stop", interrupt: true }),
    { decision: "deny", message: "stop", interrupt: true },
  ],
  ["question", deny({ reason: "ask later" }), { decision: "deny", message: "ask later" }],
];

test.each(APPROVALS)(
  "a prompt of type %s with the decision %j becomes a tool_approval with %j",
  (kind, answer, fields) => {
    expect(sent(kind, answer) as object).toEqual({
      type: "tool_approval",
      request_id: "r",
      ...fields,
    });
  },
);

const ANSWERS: readonly (readonly [string, Record<string, unknown>, object])[] = [
  ["the text of a question", { "Which DB?": "PG" }, { "Which DB?": "PG" }],
  ["the index of a question", { "1": ["Red"] }, { "Which colours?": ["Red"] }],
  ["a text that looks like an index", { "0": "zero" }, { "0": "zero" }],
  ["a free text", { "Which DB?": "SQLite, please" }, { "Which DB?": "SQLite, please" }],
  ["a list of one for one answer", { "Which DB?": ["PG"] }, { "Which DB?": "PG" }],
  ["a free text that looks like JSON", { "Which DB?": '["PG"]' }, { "Which DB?": '["PG"]' }],
  [
    "a list",
    { "Which colours?": ["Red", "Sea, green"] },
    { "Which colours?": ["Red", "Sea, green"] },
  ],
  ["a JSON array", { "1": '["Red","Sea, green"]' }, { "Which colours?": ["Red", "Sea, green"] }],
  ["one label for several answers", { "1": "Red" }, { "Which colours?": ["Red"] }],
  ["a free text with a bracket", { "1": "[sic] Red" }, { "Which colours?": ["[sic] Red"] }],
  ["a JSON array of numbers", { "1": "[1]" }, { "Which colours?": ["[1]"] }],
  ["a label and a blank one", { "1": ["Red", " "] }, { "Which colours?": ["Red"] }],
  [
    "a blank answer beside another",
    { "Which DB?": "PG", "1": " ", "2": "" },
    { "Which DB?": "PG" },
  ],
  ["an empty list beside another", { "Which DB?": "PG", "1": [] }, { "Which DB?": "PG" }],
];

test.each(ANSWERS)(
  "answers with %s reach the bridge by the text of the question",
  (_name, answers, expected) => {
    const message = sent("question", { kind: "answers", answers });
    expect(message as object).toEqual({
      type: "question_answer",
      request_id: "r",
      answers: expected,
    });
  },
);

test("annotations may name a question by its text or its index, too", () => {
  const annotations = { "Which DB?": { notes: "a" }, "1": { notes: "b" } };
  const message = sent("question", { kind: "answers", answers: { "1": "Red" }, annotations });
  expect(message).toMatchObject({
    annotations: { "Which DB?": { notes: "a" }, "Which colours?": { notes: "b" } },
  });
});

const OTHERS: readonly (readonly [Kind, PromptAnswer, object])[] = [
  [
    "elicitation",
    { kind: "elicitation", action: "accept", content: { port: 8 } },
    { type: "elicitation_answer", action: "accept", content: { port: 8 } },
  ],
  [
    "elicitation",
    { kind: "elicitation", action: "decline" },
    { type: "elicitation_answer", action: "decline" },
  ],
  [
    "dialog",
    { kind: "dialog", behavior: "completed", result: 5 },
    { type: "dialog_answer", behavior: "completed", result: 5 },
  ],
  [
    "dialog",
    { kind: "dialog", behavior: "cancelled" },
    { type: "dialog_answer", behavior: "cancelled" },
  ],
];

test.each(OTHERS)(
  "the answer to a prompt of type %s, %j, becomes the message %j",
  (kind, answer, fields) => {
    expect(sent(kind, answer) as object).toEqual({ request_id: "r", ...fields });
  },
);

function answers(values: Record<string, unknown>): PromptAnswer {
  return { kind: "answers", answers: values };
}

const REFUSED: readonly (readonly [Kind, PromptAnswer, string])[] = [
  ["approval", allow({ suggestions: [2] }), "suggestions: the prompt has no suggestion 2"],
  ["approval", allow({ suggestions: [-1] }), "suggestions: the prompt has no suggestion -1"],
  ["approval", allow({ suggestions: [0.5] }), "suggestions: the prompt has no suggestion 0.5"],
  [
    "approval",
    answers({ "0": "a" }),
    "request_id: this prompt is answered with the command approve",
  ],
  ["question", allow(), "decision: a question is answered, or refused with deny"],
  ["question", answers({}), "answers: no question is answered"],
  ["question", answers({ "1": [] }), "answers: no question is answered"],
  ["question", answers({ "1": "[]" }), "answers: no question is answered"],
  ["question", answers({ "Which DB?": " " }), "answers: no question is answered"],
  ["question", answers({ "Which?": "a" }), "answers.Which?: the prompt has no such question"],
  ["question", answers({ "3": "a" }), "answers.3: the prompt has no such question"],
  ["question", answers({ "-1": "a" }), "answers.-1: the prompt has no such question"],
  [
    "question",
    answers({ "Which colours?": "Red", "1": "Red" }),
    "answers.Which colours?: the question has two values",
  ],
  ["question", answers({ "Which DB?": ["PG", "MySQL"] }), "answers.Which DB?: takes one answer"],
  [
    "question",
    answers({ "Which DB?": 7 }),
    "answers.Which DB?: must be a text, or a list of texts",
  ],
  [
    "question",
    answers({ "Which DB?": null }),
    "answers.Which DB?: must be a text, or a list of texts",
  ],
  [
    "question",
    answers({ "Which DB?": [7] }),
    "answers.Which DB?: must be a text, or a list of texts",
  ],
  ["question", answers({ "1": [7] }), "answers.Which colours?: must be a text, or a list of texts"],
  [
    "question",
    answers({ "1": { a: 1 } }),
    "answers.Which colours?: must be a text, or a list of texts",
  ],
  ["elicitation", deny(), "request_id: this prompt is answered with the command elicitation"],
  ["elicitation", allow(), "request_id: this prompt is answered with the command elicitation"],
  [
    "question",
    { kind: "elicitation", action: "accept" },
    "request_id: this prompt is answered with the command answer",
  ],
  [
    "approval",
    { kind: "dialog", behavior: "completed" },
    "request_id: this prompt is answered with the command approve",
  ],
  ["dialog", answers({ "0": "a" }), "request_id: this prompt is answered with the command dialog"],
  ["dialog", { kind: "dialog", behavior: "gone" }, "behavior: must be completed or cancelled"],
];

test.each(REFUSED)(
  "a prompt of type %s refuses the answer %j with 400: %s",
  (kind, answer, error) => {
    const refusal = refusalOf(kind, answer);
    expect(refusal.status).toBe(400);
    const field = error.split(":")[0];
    expect(refusal.body).toEqual({ error, code: "bad_request", field });
  },
);

test("a question or an answer with the name of a property of every object is taken as it is", () => {
  const prompt: PendingPrompt = { ...PROMPTS.question, questions: [{ question: "__proto__" }] };
  const answers: unknown = JSON.parse('{"__proto__":"constructor"}');
  const message = answerMessage(prompt, {
    kind: "answers",
    answers: answers as Record<string, unknown>,
  });
  expect(JSON.stringify(message)).toContain('"answers":{"__proto__":"constructor"}');
});
