/** What a line of input means while something is asked. */
import { expect, test } from "bun:test";
import { ControlRequestForward, InboundMessage } from "../../src/types.ts";
import { answerPrompt, newPrompt, type Prompt, refusePrompt } from "../terminal-prompt.ts";

const RULES = ["acceptEdits", "plan"].map((mode) => ({
  type: "setMode",
  mode,
  destination: "session",
}));

const common = { type: "control_request_forward", ipc_version: 2, seq: 1, request_id: "r" };

function permission(rules?: readonly unknown[]): Prompt {
  const asked = { tool_name: "Bash", input: { command: "ls" }, is_question: false };
  const suggestions = rules === undefined ? {} : { permission_suggestions: rules };
  return newPrompt(ControlRequestForward.parse({ ...common, ...asked, ...suggestions }));
}

function question(multiSelect: boolean, ...questions: string[]): Prompt {
  const options = [{ label: "Red" }, { label: "Green, or so" }, { label: "Blue" }];
  const input = {
    questions: questions.map((text) => ({ question: text, header: "H", options, multiSelect })),
  };
  const asked = { tool_name: "AskUserQuestion", input, is_question: true };
  return newPrompt(ControlRequestForward.parse({ ...common, ...asked }));
}

const approval = { type: "tool_approval", id: "r", request_id: "r" };

const permissions: readonly (readonly [line: string, fields: object | undefined])[] = [
  ["y", { decision: "allow" }],
  [" Yes ", { decision: "allow" }],
  ["a", { decision: "allow", updatedPermissions: RULES.slice(0, 1) }],
  ["n", { decision: "deny" }],
  ["n use rm -i  instead", { decision: "deny", message: "use rm -i  instead" }],
  ["", undefined],
  ["yay", undefined],
  ["1", undefined],
];

for (const [line, fields] of permissions) {
  const means = fields === undefined ? "is no answer" : `means ${JSON.stringify(fields)}`;
  test(`"${line}" to a permission prompt ${means}`, () => {
    const step = answerPrompt(permission(RULES), line);
    if (fields === undefined) expect(step.kind).toBe("unclear");
    else expect(step).toEqual({ kind: "answered", message: { ...approval, ...fields } as never });
  });
}

test("there is no always without a rule to remember", () => {
  for (const rules of [undefined, []]) {
    expect(answerPrompt(permission(rules), "a").kind).toBe("unclear");
  }
});

type Answer = string | string[] | undefined;
const answers: readonly (readonly [line: string, single: Answer, multi: Answer])[] = [
  ["1", "Red", ["Red"]],
  [" 3 ", "Blue", ["Blue"]],
  ["1,3", undefined, ["Red", "Blue"]],
  ["2 1", undefined, ["Green, or so", "Red"]],
  ["2, 2", undefined, ["Green, or so"]],
  ["0", undefined, undefined],
  ["4", undefined, undefined],
  ["1,4", undefined, undefined],
  [",", undefined, undefined],
  ["", undefined, undefined],
  ["1 of each", "1 of each", "1 of each"],
  ["Mauve", "Mauve", "Mauve"],
];

for (const [line, single, multi] of answers) {
  test(`"${line}" to a question gives ${JSON.stringify(single)} or, of many, ${JSON.stringify(multi)}`, () => {
    for (const [multiSelect, answer] of [
      [false, single],
      [true, multi],
    ] as const) {
      const step = answerPrompt(question(multiSelect, "Which?"), line);
      if (answer === undefined) expect(step.kind).toBe("unclear");
      else expect(step).toMatchObject({ message: { answers: { "Which?": answer } } });
    }
  });
}

test("several questions are asked one after the other and answered together", () => {
  const first = answerPrompt(question(false, "A?", "B?"), "1");
  if (first.kind !== "next") throw new Error(first.kind);
  const last = answerPrompt(first.prompt, "2");
  const given = { "A?": "Red", "B?": "Green, or so" };
  const message = { type: "question_answer", id: "r", request_id: "r", answers: given } as const;
  expect(last).toEqual({ kind: "answered", message });
});

test("every answer is a message that the bridge takes", () => {
  const lines = ["y", "a", "n", "n no", "1", "1,2", "words"];
  const prompts = [permission(RULES), question(false, "A?"), question(true, "A?")];
  const steps = prompts.flatMap((prompt) => lines.map((line) => answerPrompt(prompt, line)));
  const messages = steps.flatMap((step) => (step.kind === "answered" ? [step.message] : []));
  expect(messages.length).toBeGreaterThan(lines.length);
  for (const message of [...messages, refusePrompt(permission(), "no")]) {
    expect(InboundMessage.parse(message)).toEqual(message);
  }
});
