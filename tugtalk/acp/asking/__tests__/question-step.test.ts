/** Questions: one form, or options one after the other, and the answers that Claude gets. */
import { expect, test } from "bun:test";
import type { Reply } from "../step.ts";
import { both, deny, questions } from "./support/asked.ts";
import {
  act,
  choose,
  DISMISSED,
  FAILED,
  FORMS,
  fill,
  INVALID,
  NOT_OFFERED,
  optionsOf,
  PLAIN,
  walk,
} from "./support/dialogue.ts";

test("questions are one form, whose schema has their options, and a text of one's own for each", () => {
  const { requests } = walk(both, FORMS);
  expect(requests).toMatchObject([
    {
      method: "elicitation/create",
      params: {
        mode: "form",
        sessionId: "s",
        toolCallId: "t",
        requestedSchema: {
          properties: {
            answer_1: {
              type: "string",
              title: "Database",
              description: "Which database?\n\n**None**\n\n```\n-\n```",
              oneOf: [
                { const: "SQLite", title: "SQLite", description: "SQLite, that is" },
                { const: "None" },
              ],
            },
            other_1: { type: "string", title: "Another answer: Database" },
            answer_2: { type: "array", items: { anyOf: [{}, { const: "Lint" }, {}] } },
          },
        },
      },
    },
  ]);
});

const answered = (answers: object) => ({ type: "question_answer", answers });
const none = "The user has answered none of the questions.";
const declined = "The user does not want to answer the questions.";

const FORM_ANSWERS: readonly (readonly [reply: Reply, answer: object])[] = [
  [
    fill({ answer_1: "None", answer_2: ["Tests", "Types"] }),
    answered({ "Which database?": "None", "Which checks?": ["Types", "Tests"] }),
  ],
  [
    fill({ answer_1: "None", other_1: " Postgres ", answer_2: ["Lint"], other_2: "Spelling" }),
    answered({ "Which database?": "Postgres", "Which checks?": ["Lint", "Spelling"] }),
  ],
  [
    fill({ answer_1: null, other_1: "", answer_2: "Lint" }),
    answered({ "Which checks?": ["Lint"] }),
  ],
  [fill({ answer_1: "Oracle" }), deny(NOT_OFFERED)],
  [fill({ answer_1: ["None"] }), deny(NOT_OFFERED)],
  [fill({ answer_2: ["Lint", 7] }), deny(NOT_OFFERED)],
  [fill({ answer_1: "", answer_2: [] }), deny(none)],
  [{ result: { action: "accept" } }, deny(none)],
  [{ result: { action: "accept", content: "None" } }, deny(INVALID)],
  [act("decline"), deny(declined)],
  [act("cancel"), deny(DISMISSED)],
  [act("approve"), deny(INVALID)],
  ["failed", deny(FAILED)],
];

test.each([...FORM_ANSWERS])("the form %j is %j", (reply, answer) => {
  expect(walk(both, FORMS, reply).answer).toEqual(answer);
});

test("without forms each question has its options, and several are chosen by switches", () => {
  const first = walk(both, PLAIN);
  expect(first.requests).toMatchObject([
    { params: { toolCall: { toolCallId: "t", title: "Which database? (1 of 2)" } } },
  ]);
  expect(optionsOf(first.requests)).toEqual([
    ...["option-0: SQLite", "option-1: None", "reject: Don't answer"],
  ]);
  const switches = [choose("option-0"), choose("option-2"), choose("option-0"), choose("option-1")];
  const switched = walk(both, PLAIN, choose("option-1"), ...switches);
  expect(optionsOf(switched.requests)).toEqual([
    ...["option-0: ☐ Types", "option-1: ☑ Lint", "option-2: ☑ Tests"],
    ...["done: Done (2 chosen)", "reject: Don't answer"],
  ]);
  expect(walk(both, PLAIN, choose("option-1"), ...switches, choose("done")).answer).toEqual(
    answered({ "Which database?": "None", "Which checks?": ["Lint", "Tests"] }),
  );
});

test.each([
  [[choose("option-0"), choose("done")], answered({ "Which database?": "SQLite" })],
  [[choose("option-0"), choose("reject")], deny(declined)],
  [[choose("option-0"), "failed" as const], deny(FAILED)],
  [[choose("done")], deny(NOT_OFFERED)],
])("the options %j are %j", (replies, answer) => {
  expect(walk(both, PLAIN, ...replies).answer).toEqual(answer);
});

test("questions that cannot be shown are refused without asking", () => {
  expect(walk(questions({ header: "?" }), FORMS)).toEqual({
    requests: [],
    answer: deny(expect.stringContaining("no form that can be shown")),
  });
});
