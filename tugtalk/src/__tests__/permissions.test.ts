/** What an answer to a prompt means, and which prompts are open (§5). */

import { describe, expect, test } from "bun:test";
import { promptLine, questionLine } from "../../testing/drivers/claude-lines.ts";
import type { Fields } from "../base/json.ts";
import { DEFAULT_DENIAL } from "../control.ts";
import type { Asker } from "../conversation/askers.ts";
import { PermissionMode } from "../messages/protocol-init.ts";
import { askedBy, PermissionManager } from "../permissions.ts";
import { PermissionRequest } from "../protocol-types.ts";
import { PermissionModeMessage, type QuestionAnswer, type ToolApproval } from "../types.ts";

const requestOf = ({ request }: Fields) => PermissionRequest.parse(request);
const WRITE = requestOf(promptLine("r"));
const QUESTION = requestOf(questionLine("q"));
const INPUT = { file_path: "/work/project/a.txt", content: "x\n" };

/** The main conversation, in a turn. */
const MAIN: Asker = {
  candidates: [{ caller: undefined, isOver: () => false }],
  turnId: "t",
  isTurnOver: false,
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

describe("an approval", () => {
  const INPUTS: readonly (readonly [
    name: string,
    updatedInput: Fields | undefined,
    written: Fields,
  ])[] = [
    ["without an input", undefined, INPUT],
    ["with an empty input", {}, INPUT],
    ["with another input", { file_path: "b", content: "y" }, { file_path: "b", content: "y" }],
  ];
  test.each([...INPUTS])("%s sends a whole input", (_name, updatedInput, written) => {
    expect(approve({ updatedInput })).toEqual({
      answer: {
        subtype: "success",
        request_id: "r",
        response: { behavior: "allow", updatedInput: written },
      },
      outcome: "allow",
      endsTurn: false,
    });
  });

  test("brings an accepted suggestion back unchanged", () => {
    const suggestion = {
      type: "addRules",
      rules: [{ toolName: "Bash", ruleContent: "npm install *" }],
      behavior: "allow",
      destination: "localSettings",
      unknown: 1,
    } as const;
    expect(approve({ updatedPermissions: [suggestion] })).toHaveProperty(
      "answer.response.updatedPermissions",
      [suggestion],
    );
  });

  test("an approval of a question is rejected because it has no answers", () => {
    expect(approve({ request_id: "q" })).toMatchObject({ problem: "bad_message" });
  });
});

describe("a denial", () => {
  test.each([
    [undefined, DEFAULT_DENIAL],
    ["not there", "not there"],
    ["", ""],
  ])("a denial with the message %j gives the model %j", (message, said) => {
    expect(approve({ decision: "deny", message })).toMatchObject({
      answer: { response: { behavior: "deny", message: said } },
      outcome: "deny",
      endsTurn: false,
    });
  });

  test("a denial with interrupt ends the turn", () => {
    expect(approve({ decision: "deny", interrupt: true })).toMatchObject({
      answer: { response: { interrupt: true } },
      endsTurn: true,
    });
  });

  test("a denial refuses a question", () => {
    expect(approve({ request_id: "q", decision: "deny" })).toMatchObject({ outcome: "deny" });
  });
});

describe("question_answer", () => {
  test("answers are sent to Claude beside the questions", () => {
    expect(
      answer({ answers: { "Which colour?": "Red", "Which colours?": ["Sea, green"] } }),
    ).toEqual({
      answer: {
        subtype: "success",
        request_id: "q",
        response: {
          behavior: "allow",
          updatedInput: {
            ...QUESTION.input,
            answers: { "Which colour?": "Red", "Which colours?": ["Sea, green"] },
          },
        },
      },
      outcome: "answered",
      endsTurn: false,
    });
  });

  test("a free response is an answer by itself", () => {
    expect(answer({ response: "neither" })).toMatchObject({ outcome: "answered" });
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
    expect(permissions.decide({ ...said, response: "x" })).toMatchObject({
      outcome: "answered",
    });
    expect(permissions.decide(said)).toMatchObject({ problem: "bad_message" });
  });
});

describe("the open prompts", () => {
  const approval = { type: "tool_approval", request_id: "r", decision: "allow" } as const;

  test("a decision leaves the prompt open, and an answer after its close is stale", () => {
    const permissions = asking();
    expect(permissions.decide(approval)).toHaveProperty("outcome", "allow");
    expect(permissions.close("r")).toMatchObject({ requestId: "r", asker: MAIN });
    expect(permissions.close("r")).toBeUndefined();
    expect(permissions.decide(approval)).toMatchObject({ problem: "stale_request" });
  });

  test("an answer to a request that was never forwarded is unknown", () => {
    const permissions = new PermissionManager();
    expect(permissions.decide(approval)).toMatchObject({ problem: "unknown_request" });
    expect(permissions.isAsking).toBe(false);
  });

  test("a repeated request does not open its prompt again, whether open or settled", () => {
    const permissions = asking();
    expect(permissions.open("r", askedBy(WRITE), MAIN)).toBeUndefined();
    permissions.close("r");
    expect(permissions.open("r", askedBy(WRITE), MAIN)).toBeUndefined();
  });

  test("open prompts are listed in their order until each is closed", () => {
    const permissions = asking();
    expect(Array.from(permissions.prompts, ({ requestId }) => requestId)).toEqual(["r", "q"]);
    permissions.close("r");
    expect(Array.from(permissions.prompts, ({ requestId }) => requestId)).toEqual(["q"]);
    expect(permissions.isAsking).toBe(true);
    permissions.close("q");
    expect(permissions.isAsking).toBe(false);
  });
});

test.each([...PermissionMode.options])("a host may choose the mode %s", (mode) => {
  expect(PermissionModeMessage.parse({ type: "permission_mode", mode })).toHaveProperty(
    "mode",
    mode,
  );
});

test("the modes are those of all CLIs", () => {
  expect([...PermissionMode.options].sort()).toEqual([
    "acceptEdits",
    "auto",
    "bypassPermissions",
    "default",
    "delegate",
    "dontAsk",
    "manual",
    "plan",
  ]);
});
