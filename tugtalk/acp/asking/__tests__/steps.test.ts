/** Questions to a person, and the lines to Claude for the client's answers. Tables of replies and answers. */
import { expect, test } from "bun:test";
import type { Fields } from "../../../src/base/json.ts";
import { askedBy, PermissionManager } from "../../../src/permissions.ts";
import type { PermissionRequest } from "../../../src/protocol-types.ts";
import { clientFeatures } from "../../client-features.ts";
import { type ClaudeRequest, firstStep } from "../first-step.ts";
import type { ClientRequest, Reply, Step } from "../step.ts";

const audience = { sessionId: "s", dir: "/work/project" };
const PLAIN = clientFeatures({});
const FORMS = clientFeatures({ elicitation: { form: {}, url: {} } });

/** Answers the requests in turn; every request, and the answer to Claude without its ids. */
function walk(asked: ClaudeRequest, features: typeof PLAIN, ...replies: readonly Reply[]) {
  const requests: ClientRequest[] = [];
  let step: Step = firstStep({ ...audience, features }, asked);
  for (const reply of replies) {
    if (!("request" in step)) throw new Error("nothing is asked any more");
    requests.push(step.request);
    step = step.next(reply);
  }
  if ("request" in step) return { requests: [...requests, step.request], answer: undefined };
  const { id, request_id, ...answer } = step.answer;
  expect([id, request_id]).toEqual(["r", "r"]);
  return { requests, answer: JSON.parse(JSON.stringify(answer)) };
}

const choose = (optionId: string): Reply => ({
  result: { outcome: { outcome: "selected", optionId } },
});
const fill = (content: Fields): Reply => ({ result: { action: "accept", content } });
const act = (action: string): Reply => ({ result: { action } });

function permission(
  fields: Partial<Extract<ClaudeRequest, { type: "control_request_forward" }>>,
): ClaudeRequest {
  return {
    type: "control_request_forward",
    request_id: "r",
    tool_use_id: "t",
    tool_name: "Bash",
    input: { command: "make" },
    is_question: false,
    ...fields,
  };
}

const allow = { type: "tool_approval", decision: "allow" };
const deny = (message?: unknown) => ({ type: "tool_approval", decision: "deny", ...{ message } });

const RULE = {
  type: "addRules",
  rules: [{ toolName: "Bash", ruleContent: "make" }],
  behavior: "allow",
  destination: "localSettings",
};
const MODE = { type: "setMode", mode: "acceptEdits", destination: "session" };
const STRANGE = { type: "turnOffAll", destination: "session" };
const bash = permission({ permission_suggestions: [RULE, STRANGE, MODE] });

/** The options of the last request, as their ids and names. */
function optionsOf(requests: readonly ClientRequest[]) {
  const last = requests.at(-1);
  if (last?.method !== "session/request_permission") throw new Error("no options");
  return last.params.options.map(({ optionId, name }) => `${optionId}: ${name}`);
}

test("a permission offers once, each rule alone in words, all of them, no, and a reason where there are forms", () => {
  const plain = [
    "allow: Allow once",
    "allow-0: Allow the Bash command `make` in this project, saved in .claude/settings.local.json for you",
    "allow-2: Switch to the permission mode Accept edits (Claude edits files of the project without asking) for this session",
    "allow-all: All of these",
    "reject: No",
  ];
  expect(optionsOf(walk(bash, PLAIN).requests)).toEqual(plain);
  expect(optionsOf(walk(bash, FORMS).requests)).toEqual([...plain, "reject-why: No, and say why"]);
  expect(optionsOf(walk(permission({}), PLAIN).requests)).toEqual([
    "allow: Allow once",
    "reject: No",
  ]);
});

test("a permission repeats what the client shows of the call, and says why a person is asked", () => {
  const content = (asked: ClaudeRequest, features: object, before?: string) => {
    const step = firstStep({ ...audience, features: { ...PLAIN, ...features } }, asked, before);
    return "request" in step ? Object(step.request.params)["toolCall"].content : undefined;
  };
  const why = { type: "content", content: { type: "text", text: "It is outside." } };
  const path = "/etc/motd";
  const write = permission({ tool_name: "Write", input: { file_path: path, content: "b\n" } });
  const reasoned = { ...write, decision_reason: "It is outside." } as ClaudeRequest;
  const diff = { type: "diff", path, oldText: "a\n", newText: "b\n" };
  expect(content(write, {}, "a\n")).toEqual([diff]);
  expect(content(reasoned, {}, "a\n")).toEqual([diff, why]);
  expect(content(bash, { terminals: true })).toEqual([{ type: "terminal", terminalId: "t" }]);
  expect(content(bash, {})).toBeUndefined();
});

const DISMISSED = "The user dismissed the request without an answer, so it was refused.";
const FAILED = "The client could not show the request to the user, so it was refused.";
const INVALID = "The client gave no valid answer, so the request was refused.";
const NOT_OFFERED = "The client chose an option that was not offered, so the request was refused.";

const WRONG: readonly (readonly [reply: Reply, why: string])[] = [
  ["failed", FAILED],
  [{ result: { outcome: { outcome: "cancelled" } } }, DISMISSED],
  [choose("allow-7"), NOT_OFFERED],
  [choose("allow-1"), NOT_OFFERED],
  [choose("constructor"), NOT_OFFERED],
  [{ result: null }, INVALID],
  [{ result: [] }, INVALID],
  [{ result: { outcome: "allow" } }, INVALID],
  [{ result: { outcome: { outcome: "selected", optionId: 0 } } }, INVALID],
  [{ result: { outcome: { outcome: "allowed", optionId: "allow" } } }, INVALID],
];

const DECISIONS: readonly (readonly [replies: readonly Reply[], answer: object])[] = [
  [[choose("allow")], allow],
  [[choose("allow-0")], { ...allow, updatedPermissions: [RULE] }],
  [[choose("allow-2")], { ...allow, updatedPermissions: [MODE] }],
  [[choose("allow-all")], { ...allow, updatedPermissions: [RULE, MODE] }],
  [[choose("reject")], deny()],
  [[choose("reject-why"), fill({ reason: " use npm " })], deny("use npm")],
  [[choose("reject-why"), fill({ reason: " " })], deny()],
  [[choose("reject-why"), fill({ reason: 7 })], deny()],
  ...[act("decline"), act("cancel"), act("?"), "failed" as const].map(
    (reply) => [[choose("reject-why"), reply], deny()] as const,
  ),
  ...WRONG.map(([reply, why]) => [[reply], deny(why)] as const),
];

test.each([...DECISIONS])("%j of a permission is %j", (replies, answer) => {
  expect(walk(bash, FORMS, ...replies).answer).toEqual(answer);
});

const plan = permission({
  tool_name: "ExitPlanMode",
  input: { allowedPrompts: [{ tool: "Bash", prompt: "run the tests" }], planFilePath: "/p.md" },
  plan: "1. Do it.",
});

test("a plan is asked for with its text, and with every way out of plan mode", () => {
  const { requests } = walk(plan, FORMS);
  expect(optionsOf(requests)).toEqual([
    "approve-0: Carry out the plan, and edit files without asking",
    "approve-1: Carry out the plan, and ask as usual",
    "reject: No, keep planning",
    "reject-why: No, and say why",
  ]);
  const [{ params }] = requests as [ClientRequest];
  expect(Object(params)["toolCall"].rawInput.plan).toBe("1. Do it.");
  const texts = JSON.stringify(Object(params)["toolCall"].content);
  expect(texts).toContain("1. Do it.");
  expect(texts).toContain("run the tests");
});

const KEEP = expect.stringContaining("keep planning");

test.each([
  [[choose("approve-0")], { ...allow, updatedPermissions: [MODE] }],
  [[choose("approve-1")], allow],
  [[choose("reject")], deny(KEEP)],
  [[choose("reject-why"), fill({ reason: "too long" })], deny("too long")],
  [[choose("reject-why"), act("cancel")], deny(KEEP)],
  [[choose("allow")], deny(NOT_OFFERED)],
  [["failed" as const], deny(FAILED)],
])("%j of a plan is %j", (replies, answer) => {
  expect(walk(plan, FORMS, ...replies).answer).toEqual(answer);
});

const option = (label: string) => ({ label, description: `${label}, that is` });
const DATABASE = {
  question: "Which database?",
  header: "Database",
  options: [option("SQLite"), { ...option("None"), preview: "```\n-\n```" }],
  multiSelect: false,
};
const CHECKS = {
  question: "Which checks?",
  header: "Checks",
  options: ["Types", "Lint", "Tests"].map(option),
  multiSelect: true,
};
const questions = (...asked: readonly unknown[]) =>
  permission({ tool_name: "AskUserQuestion", input: { questions: asked }, is_question: true });
const both = questions(DATABASE, CHECKS);

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

function elicitation(fields: Fields): ClaudeRequest {
  return {
    ...{ type: "elicitation_request", request_id: "r" },
    ...{ mcp_server_name: "orders", message: "What?", ...fields },
  } as ClaudeRequest;
}

const PROPERTIES = {
  size: { type: "string", enum: ["S", "M"], enumNames: ["small", "medium"], default: "M" },
  urgent: { type: "boolean" },
  extras: { type: "array", items: { enum: ["a", "b"] }, minItems: 1, maxItems: 2.5 },
  code: { type: "string", pattern: "^x", format: "ipv4", minLength: 2, default: 7 },
  mail: { type: "string", format: "email" },
  count: { type: "integer", minimum: 1, maximum: 9.5, default: 3 },
};
const form = (required: readonly string[], properties: Fields = PROPERTIES) =>
  elicitation({ requested_schema: { type: "object", properties, required } });

test("the form of a server keeps what the protocol has, and nothing else", () => {
  const { requests } = walk(form(["size"]), FORMS);
  expect(requests).toEqual([
    {
      method: "elicitation/create",
      params: {
        mode: "form",
        sessionId: "s",
        message: "orders: What?",
        requestedSchema: {
          type: "object",
          required: ["size"],
          properties: {
            size: {
              ...{ type: "string", title: "size", default: "M" },
              oneOf: [
                { const: "S", title: "small" },
                { const: "M", title: "medium" },
              ],
            },
            urgent: { type: "boolean", title: "urgent" },
            extras: {
              ...{ type: "array", title: "extras", minItems: 1 },
              items: {
                anyOf: [
                  { const: "a", title: "a" },
                  { const: "b", title: "b" },
                ],
              },
            },
            code: { type: "string", title: "code", pattern: "^x", minLength: 2 },
            mail: { type: "string", title: "mail", format: "email" },
            count: { type: "integer", title: "count", minimum: 1, default: 3 },
          },
        },
      },
    },
  ]);
});

const given = (content?: object) => ({
  ...{ type: "elicitation_answer", action: "accept" },
  ...(content && { content }),
});
const refused = (action: string) => ({ type: "elicitation_answer", action });
const page = elicitation({ mode: "url", url: "https://x.test/", elicitation_id: "e" });

test.each([
  [form([]), [fill({ size: "S" })], given({ size: "S" })],
  [form([]), [{ result: { action: "accept" } }], given({})],
  [form([]), [act("decline")], refused("decline")],
  [form([]), [act("cancel")], refused("cancel")],
  [form([]), [act("yes")], refused("cancel")],
  [form([]), ["failed" as const], refused("cancel")],
  [page, [act("accept")], given()],
  [page, [act("decline")], refused("decline")],
])("%j with %j gives the server %j", (asked, replies, answer) => {
  expect(walk(asked, FORMS, ...replies).answer).toEqual(answer);
});

test("without forms a server's fields are options one after the other, as far as they have any", () => {
  const extras = [choose("option-1"), choose("done")];
  const replies = [choose("skip"), choose("option-0"), ...extras];
  const { requests, answer } = walk(form(["urgent", "extras"]), PLAIN, ...replies);
  expect(answer).toEqual(given({ size: "M", code: 7, count: 3, urgent: true, extras: ["b"] }));
  const names = requests.map((_, index) => optionsOf(requests.slice(0, index + 1)));
  expect(names.slice(0, 3)).toEqual([
    ["option-0: small", "option-1: medium", "skip: Keep: M", "decline: Decline"],
    ["option-0: Yes", "option-1: No", "decline: Decline"],
    ["option-0: ☐ a", "option-1: ☐ b", "decline: Decline"],
  ]);
});

test.each([
  [form(["mail"]), "decline", refused("decline")],
  [form([], {}), "accept", given({})],
  [form([], {}), "decline", refused("decline")],
  [form([]), "?", refused("cancel")],
  [page, "accept", given()],
  [page, "decline", refused("decline")],
])("without forms %j with %j gives the server %j", (asked, option, answer) => {
  expect(walk(asked, PLAIN, choose(option)).answer).toEqual(answer);
});

/** Every way through a dialogue, as far as six requests. */
function* answersTo(
  step: Step,
  depth = 6,
): Generator<Extract<Step, { answer: unknown }>["answer"]> {
  if ("answer" in step) yield step.answer;
  if (!("request" in step) || depth === 0) return;
  for (const reply of repliesTo(step.request)) yield* answersTo(step.next(reply), depth - 1);
}

function repliesTo({ method, params }: ClientRequest): readonly Reply[] {
  const wrong: readonly Reply[] = ["failed", { result: null }, choose("?"), act("cancel")];
  if (method === "session/request_permission")
    return [...wrong, ...params.options.map(({ optionId }) => choose(optionId))];
  const contents = [{}, { reason: "no" }, { answer_1: "None", answer_2: ["Lint"], other_1: "x" }];
  return [...wrong, act("decline"), ...contents.map(fill)];
}

test("whatever way a dialogue takes, the bridge takes its answer", () => {
  for (const asked of [bash, plan, both, questions({ header: "?" }), form(["urgent"]), page])
    for (const features of [PLAIN, FORMS]) {
      const prompts = new PermissionManager();
      const isForm = asked.type === "elicitation_request";
      const content = isForm
        ? ({ kind: "elicitation" } as const)
        : askedBy(asked as unknown as PermissionRequest);
      prompts.open("r", content, { candidates: [], turnId: undefined });
      const answers = [...answersTo(firstStep({ ...audience, features }, asked))];
      expect(answers.length).toBeGreaterThan(0);
      for (const answer of answers) expect(prompts.decide(answer)).not.toHaveProperty("problem");
    }
});
