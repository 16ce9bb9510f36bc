import { expect, test } from "bun:test";
import type { OpenPrompt } from "../../../client/prompt-models.ts";
import { InboundMessage } from "../../../src/types.ts";
import { ApiError } from "../../api/api-error.ts";
import { answerMessage, type GivenAnswer } from "../answer-message.ts";

const COMMON = { requestId: "r", createdAt: 1 };
const RULE = { type: "setMode", mode: "acceptEdits", destination: "session" };
const OTHER_RULE = { type: "addDirectories", directories: ["/a"], destination: "session" };

const PROMPTS = {
  permission: {
    ...COMMON,
    kind: "permission",
    toolName: "Bash",
    input: { command: "ls" },
    permissionSuggestions: [RULE, OTHER_RULE],
  },
  question: {
    ...COMMON,
    kind: "question",
    toolName: "AskUserQuestion",
    input: {},
    questions: [
      { question: "Which DB?", options: [{ label: "PG" }, { label: "MySQL" }] },
      { question: "Which colours?", options: [{ label: "Red" }], multiSelect: true },
      { question: "0", options: [{ label: "zero" }] },
    ],
  },
  elicitation: { ...COMMON, kind: "elicitation", serverName: "tide", message: "Where?" },
  dialog: { ...COMMON, kind: "dialog", dialogKind: "survey", payload: {} },
} as const satisfies Record<string, OpenPrompt>;

type Kind = keyof typeof PROMPTS;

/** The message that reaches the bridge, parsed by the bridge's own schema. */
function sent(kind: Kind, answer: GivenAnswer) {
  const message: unknown = JSON.parse(JSON.stringify(answerMessage(PROMPTS[kind], answer)));
  return InboundMessage.parse(message);
}

function refusalOf(kind: Kind, answer: GivenAnswer): ApiError {
  try {
    answerMessage(PROMPTS[kind], answer);
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error("the answer is not refused");
}

type Approval = Extract<GivenAnswer, { type: "tool_approval" }>;

function allow(more: Partial<Approval> = {}): Approval {
  return { type: "tool_approval", decision: "allow", ...more };
}

function deny(more: Partial<Approval> = {}): Approval {
  return { type: "tool_approval", decision: "deny", ...more };
}

const APPROVALS: readonly (readonly [Kind, Approval, object])[] = [
  ["permission", allow(), { decision: "allow" }],
  ["permission", allow({ message: "fine" }), { decision: "allow" }],
  [
    "permission",
    allow({ updatedInput: { command: "pwd" } }),
    { decision: "allow", updatedInput: { command: "pwd" } },
  ],
  ["permission", allow({ suggestions: [] }), { decision: "allow" }],
  [
    "permission",
    allow({ suggestions: [1] }),
    { decision: "allow", updatedPermissions: [OTHER_RULE] },
  ],
  [
    "permission",
    allow({ updatedPermissions: [RULE] }),
    { decision: "allow", updatedPermissions: [RULE] },
  ],
  [
    "permission",
    allow({ suggestions: [1], updatedPermissions: [RULE] }),
    { decision: "allow", updatedPermissions: [OTHER_RULE, RULE] },
  ],
  [
    "permission",
    allow({ suggestions: [1, 0, 1] }),
    { decision: "allow", updatedPermissions: [OTHER_RULE, RULE] },
  ],
  ["permission", deny(), { decision: "deny" }],
  ["permission", deny({ message: " " }), { decision: "deny" }],
  ["permission", deny({ message: "no, use pnpm" }), { decision: "deny", message: "no, use pnpm" }],
  [
    "permission",
    deny({ message: "stop", interrupt: true }),
    { decision: "deny", message: "stop", interrupt: true },
  ],
  ["question", deny({ message: "ask later" }), { decision: "deny", message: "ask later" }],
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
    const message = sent("question", { type: "question_answer", answers });
    expect(message as object).toEqual({
      type: "question_answer",
      request_id: "r",
      answers: expected,
    });
  },
);

test("annotations may name a question by its text or its index, too", () => {
  const annotations = { "Which DB?": { notes: "a" }, "1": { notes: "b" } };
  const message = sent("question", {
    type: "question_answer",
    answers: { "1": "Red" },
    annotations,
  });
  expect(message).toMatchObject({
    annotations: { "Which DB?": { notes: "a" }, "Which colours?": { notes: "b" } },
  });
});

const OTHERS: readonly (readonly [Kind, GivenAnswer])[] = [
  ["elicitation", { type: "elicitation_answer", action: "accept", content: { port: 8 } }],
  ["elicitation", { type: "elicitation_answer", action: "decline" }],
  ["dialog", { type: "dialog_answer", behavior: "completed", result: 5 }],
  ["dialog", { type: "dialog_answer", behavior: "cancelled" }],
];

test.each(OTHERS)("the answer to a prompt of type %s, %j, is the message", (kind, answer) => {
  expect(sent(kind, answer) as object).toEqual({ request_id: "r", ...answer });
});

function answers(values: Record<string, unknown>): GivenAnswer {
  return { type: "question_answer", answers: values };
}

const NO_TEXT = "must be a text, or a list of texts";
const answeredWith = (command: string) =>
  `request_id: this prompt is answered with the command ${command}`;

const REFUSED: readonly (readonly [Kind, GivenAnswer, string])[] = [
  ["permission", allow({ suggestions: [2] }), "suggestions: the prompt has no suggestion 2"],
  ["permission", allow({ suggestions: [-1] }), "suggestions: the prompt has no suggestion -1"],
  ["permission", allow({ suggestions: [0.5] }), "suggestions: the prompt has no suggestion 0.5"],
  ["permission", answers({ "0": "a" }), answeredWith("approve")],
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
  ["question", answers({ "Which DB?": 7 }), `answers.Which DB?: ${NO_TEXT}`],
  ["question", answers({ "Which DB?": null }), `answers.Which DB?: ${NO_TEXT}`],
  ["question", answers({ "Which DB?": [7] }), `answers.Which DB?: ${NO_TEXT}`],
  ["question", answers({ "1": [7] }), `answers.Which colours?: ${NO_TEXT}`],
  ["question", answers({ "1": { a: 1 } }), `answers.Which colours?: ${NO_TEXT}`],
  ["elicitation", deny(), answeredWith("elicitation")],
  ["elicitation", allow(), answeredWith("elicitation")],
  ["question", { type: "elicitation_answer", action: "accept" }, answeredWith("answer")],
  ["permission", { type: "dialog_answer", behavior: "completed" }, answeredWith("approve")],
  ["dialog", answers({ "0": "a" }), answeredWith("dialog")],
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
  const prompt: OpenPrompt = { ...PROMPTS.question, questions: [{ question: "__proto__" }] };
  const answers: unknown = JSON.parse('{"__proto__":"constructor"}');
  const message = answerMessage(prompt, {
    type: "question_answer",
    answers: answers as Record<string, unknown>,
  });
  expect(JSON.stringify(message)).toContain('"answers":{"__proto__":"constructor"}');
});
