/** Answers to prompts, and their effects (§5). */

import { expect, test } from "bun:test";
import { promptLine, questionLine } from "../../testing/drivers/test-lines.ts";
import type { Fields } from "../base/json.ts";
import type { Asker } from "../conversation/askers.ts";
import { askedBy, PermissionManager } from "../permissions.ts";
import { PermissionRequest } from "../protocol-types.ts";
import type { QuestionAnswer, ToolApproval } from "../types.ts";

const requestOf = ({ request }: Fields) => PermissionRequest.parse(request);
const WRITE = requestOf(promptLine("r"));
const QUESTION = requestOf(questionLine("q"));

/** The main conversation, in a turn. */
const MAIN: Asker = {
  candidates: [{ caller: undefined, isOver: () => false }],
  turnId: "t",
};

/** A manager with a prompt `r` and a question `q`. */
function asking(): PermissionManager {
  const permissions = new PermissionManager();
  permissions.open("r", askedBy(WRITE), MAIN);
  permissions.open("q", askedBy(QUESTION), MAIN);
  return permissions;
}

const approve = (fields: Partial<ToolApproval>) =>
  asking().decide({ type: "tool_approval", request_id: "r", decision: "allow", ...fields });
const answer = (fields: Partial<QuestionAnswer>) =>
  asking().decide({ type: "question_answer", request_id: "q", answers: {}, ...fields });

test("a question whose text is __proto__ is answered like any other", () => {
  const input = { questions: [{ question: "__proto__", options: [{ label: "yes" }] }] };
  const permissions = new PermissionManager();
  permissions.open("q", askedBy({ ...QUESTION, input }), MAIN);
  const answers = { ["__proto__"]: "yes" };
  const decision = permissions.decide({ type: "question_answer", request_id: "q", answers });
  expect(JSON.stringify(decision)).toContain('"answers":{"__proto__":"yes"}');
});

test("an approval returns an input with the key __proto__ whole", () => {
  const line = JSON.parse(
    '{"subtype":"can_use_tool","tool_name":"t","input":{"__proto__":"kept"}}',
  );
  const permissions = new PermissionManager();
  permissions.open("r", askedBy(PermissionRequest.parse(line)), MAIN);
  const decision = permissions.decide({
    type: "tool_approval",
    request_id: "r",
    decision: "allow",
  });
  expect(JSON.stringify(decision)).toContain('"updatedInput":{"__proto__":"kept"}');
});

test("an approval of a question is rejected because it has no answers", () => {
  expect(approve({ request_id: "q" })).toMatchObject({ problem: "bad_message" });
});

test("a denial refuses a question", () => {
  expect(approve({ request_id: "q", decision: "deny" })).toMatchObject({ outcome: "deny" });
});

const FAULTS: readonly (readonly [name: string, fields: Partial<QuestionAnswer>])[] = [
  ["to nothing", {}],
  ["to a question that was not asked", { answers: { Other: "x" } }],
  ["by the header", { answers: { Colour: "Red" } }],
  ["of several labels where one is asked for", { answers: { "Which colour?": ["Red"] } }],
  ["to a prompt that is no question", { request_id: "r", answers: { a: "b" } }],
];
test.each([...FAULTS])("an answer %s is rejected", (_name, fields) => {
  expect(answer(fields)).toMatchObject({ problem: "bad_message" });
});

test("a malformed question accepts only a free response (made up)", () => {
  const permissions = new PermissionManager();
  permissions.open("q", askedBy({ ...QUESTION, input: { questions: "none" } }), MAIN);
  const said = { type: "question_answer", request_id: "q", answers: {} } as const;
  expect(permissions.decide({ ...said, response: "x" })).toMatchObject({ outcome: "answered" });
  expect(permissions.decide(said)).toMatchObject({ problem: "bad_message" });
});
