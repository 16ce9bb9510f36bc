/** Prompts of Claude and their answers: the written lines, the emitted messages, and how a prompt ends (§5). */
import { describe, expect, test } from "bun:test";
import { captured } from "../../../testing/captures/captured-line.ts";
import {
  initLine,
  promptLine,
  questionLine,
  resultLine,
  toolResultLine,
  wakeResultLine,
  wakeUpLine,
} from "../../../testing/drivers/claude-lines.ts";
import {
  answerTo,
  emittedBy,
  emittedOf,
  expectGuarantees,
  sayAsHost,
  writtenBy,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { FIRST } from "../../../testing/drivers/working-session.ts";
import { DEFAULT_DENIAL } from "../../control.ts";
import { MAX_OPEN_PROMPTS } from "../../permissions.ts";
import type { QuestionAnswer, ToolApproval } from "../../types.ts";

type Line = Readonly<Record<string, unknown>>;

const INPUT = { file_path: "/work/project/a.txt", content: "x\n" };

/** A session in a turn in which Claude has printed these prompts. */
async function asked(...lines: readonly Line[]): Promise<TestSession> {
  const session = await startSession();
  sayAsHost(session, "go");
  for (const line of [initLine(), ...lines]) await session.claude().say(line);
  return session;
}

const approve = (session: TestSession, fields: Partial<ToolApproval> = {}) =>
  session.session.handleToolApproval({
    type: "tool_approval",
    request_id: "r",
    decision: "allow",
    ...fields,
  });
const answer = (session: TestSession, fields: Partial<QuestionAnswer>) =>
  session.session.handleQuestionAnswer({
    type: "question_answer",
    request_id: "r",
    answers: {},
    ...fields,
  });

type Approval = readonly [
  name: string,
  said: Partial<ToolApproval>,
  written: Line,
  outcome: string,
];

const [SUGGESTION] = (promptLine("r")["request"] as { permission_suggestions: Line[] })
  .permission_suggestions;

const APPROVALS: readonly Approval[] = [
  ["without updatedInput", {}, { behavior: "allow", updatedInput: INPUT }, "allow"],
  [
    "with an empty updatedInput",
    { updatedInput: {} },
    { behavior: "allow", updatedInput: INPUT },
    "allow",
  ],
  [
    "with a changed updatedInput",
    { updatedInput: { ...INPUT, content: "y" } },
    { behavior: "allow", updatedInput: { ...INPUT, content: "y" } },
    "allow",
  ],
  [
    "with the suggestion of the prompt",
    { updatedPermissions: [SUGGESTION] as ToolApproval["updatedPermissions"] },
    { behavior: "allow", updatedInput: INPUT, updatedPermissions: [SUGGESTION] },
    "allow",
  ],
  [
    "that denies without a message",
    { decision: "deny" },
    { behavior: "deny", message: DEFAULT_DENIAL },
    "deny",
  ],
  [
    "that denies with a message",
    { decision: "deny", message: "no" },
    { behavior: "deny", message: "no" },
    "deny",
  ],
  [
    "that denies and interrupts",
    { decision: "deny", interrupt: true },
    { behavior: "deny", message: DEFAULT_DENIAL, interrupt: true },
    "deny",
  ],
];

test.each([...APPROVALS])(
  "an approval %s is written in full and resolved once",
  async (_name, said, written, outcome) => {
    const session = await asked(promptLine("r"));
    let emitted: readonly Line[] = [];
    const lines = await writtenBy(session, async () => {
      emitted = await emittedBy(session, () => approve(session, { ...said, id: "reply" }));
    });
    expect(lines).toEqual([
      {
        type: "control_response",
        response: { subtype: "success", request_id: "r", response: written },
      },
    ]);
    expect(emitted).toMatchObject([
      { type: "control_request_resolved", request_id: "r", outcome, in_reply_to: "reply" },
      { type: "session_state", state: "running" },
    ]);
    expectGuarantees(session);
  },
);

test("a denial with interrupt cancels the turn", async () => {
  const session = await asked(promptLine("r"));
  approve(session, { decision: "deny", interrupt: true });
  await session.claude().say(captured("result interrupted 38"));
  expect(emittedOf(session, "turn_complete")).toMatchObject([
    { result: "cancelled", is_error: false },
  ]);
});

type Answer = readonly [name: string, said: Partial<QuestionAnswer>, added: Line];
const ANSWERS: readonly Answer[] = [
  ["a label", { answers: { "Which colour?": "Red" } }, { answers: { "Which colour?": "Red" } }],
  [
    "several labels",
    { answers: { "Which colours?": ["Red", "Blue"] } },
    { answers: { "Which colours?": ["Red", "Blue"] } },
  ],
  [
    "one label of several",
    { answers: { "Which colours?": "Sea, green" } },
    { answers: { "Which colours?": ["Sea, green"] } },
  ],
  ["free text", { answers: {}, response: "neither" }, { answers: {}, response: "neither" }],
  [
    "a label with notes",
    { answers: { "Which colour?": "Red" }, annotations: { "Which colour?": { notes: "dark" } } },
    { answers: { "Which colour?": "Red" }, annotations: { "Which colour?": { notes: "dark" } } },
  ],
];

test.each([...ANSWERS])(
  "an answer that is %s is added to the input of the questions",
  async (_name, said, added) => {
    const line = questionLine("r");
    const session = await asked(line);
    const { input } = line["request"] as { input: object };
    const [written] = await writtenBy(session, () => answer(session, said));
    expect(written).toHaveProperty("response.response", {
      behavior: "allow",
      updatedInput: { ...input, ...added },
    });
    expect(emittedOf(session, "control_request_resolved")).toMatchObject([{ outcome: "answered" }]);
    expectGuarantees(session);
  },
);

describe("invalid answer to a prompt", () => {
  const ROWS: readonly (readonly [
    name: string,
    said: (session: TestSession) => void,
    code: string,
  ])[] = [
    [
      "to an unknown request",
      (session) => approve(session, { request_id: "x" }),
      "unknown_request",
    ],
    [
      "that is a question_answer to a permission prompt",
      (session) => answer(session, { answers: { a: "b" } }),
      "bad_message",
    ],
  ];
  test.each([...ROWS])(
    "an invalid answer to a prompt %s writes nothing and leaves the prompt open",
    async (_name, said, code) => {
      const session = await asked(promptLine("r"));
      const written = await writtenBy(session, () => said(session));
      expect(written).toEqual([]);
      expect(session.emitted.at(-1)).toMatchObject({ type: "error", code, source: "host" });
      expect(await writtenBy(session, () => approve(session))).toHaveLength(1);
      expectGuarantees(session);
    },
  );

  test("an invalid answer to a prompt is stale when the prompt was answered before", async () => {
    const session = await asked(promptLine("r"));
    approve(session);
    expect(await writtenBy(session, () => approve(session))).toEqual([]);
    expect(session.emitted.at(-1)).toMatchObject({
      type: "error",
      code: "stale_request",
      request_id: "r",
    });
  });
});

describe("repeated prompt", () => {
  test.each([
    ["while it is open", () => {}],
    ["after its answer", approve],
  ])("a repeated prompt %s is neither forwarded nor answered again", async (_name, between) => {
    const session = await asked(promptLine("r"));
    between(session);
    const written = await writtenBy(session, () => session.claude().say(promptLine("r")));
    expect(written).toEqual([]);
    expect(emittedOf(session, "control_request_forward")).toHaveLength(1);
    expectGuarantees(session);
  });
});

describe("control_cancel_request", () => {
  const cancel = (request_id: string) => ({ type: "control_cancel_request", request_id });

  test("control_cancel_request withdraws the prompt, and a later answer is stale", async () => {
    const session = await asked(promptLine("r"));
    await session.claude().say(cancel("r"));
    expect(emittedOf(session, "control_request_cancel")).toMatchObject([
      { request_id: "r", reason: "withdrawn" },
    ]);
    expect(await writtenBy(session, () => approve(session))).toEqual([]);
    expect(session.emitted.at(-1)).toMatchObject({ code: "stale_request" });
    expectGuarantees(session);
  });

  test("control_cancel_request after an interrupt of the host has the reason interrupted", async () => {
    const session = await asked(promptLine("r"));
    session.session.handleInterrupt({ type: "interrupt" });
    await session.claude().say(cancel("r"));
    expect(emittedOf(session, "control_request_cancel")).toMatchObject([{ reason: "interrupted" }]);
  });

  test("control_cancel_request in the turn after an interrupted turn has the reason withdrawn", async () => {
    const session = await asked();
    session.session.handleInterrupt({ type: "interrupt" });
    await session.claude().say(captured("result interrupted 330"));
    sayAsHost(session, "again");
    for (const line of [promptLine("r"), cancel("r")]) await session.claude().say(line);
    expect(emittedOf(session, "control_request_cancel")).toMatchObject([{ reason: "withdrawn" }]);
  });

  test("control_cancel_request in the turn after one that an interrupt cancelled before its start has the reason withdrawn", async () => {
    const session = await startSession();
    sayAsHost(session, "go", { message_id: FIRST });
    session.session.handleInterrupt({ type: "interrupt", cancel_queued: true });
    await answerTo(session, "interrupt", { response: { still_queued: [], cancelled: [FIRST] } });
    expect(emittedOf(session, "turn_cancelled")).toMatchObject([{ reason: "rejected" }]);
    sayAsHost(session, "again");
    for (const line of [initLine(), promptLine("r"), cancel("r")]) await session.claude().say(line);
    expect(emittedOf(session, "control_request_cancel")).toMatchObject([{ reason: "withdrawn" }]);
    expectGuarantees(session);
  });

  test("control_cancel_request for an unknown prompt is ignored", async () => {
    const session = await asked(promptLine("r"));
    expect(await emittedBy(session, () => session.claude().say(cancel("never")))).toEqual([]);
  });
});

describe("unanswered prompt", () => {
  test("an unanswered prompt is withdrawn by the result of its turn", async () => {
    const session = await asked(promptLine("r"), questionLine("q"));
    await session.claude().say(resultLine());
    expect(emittedOf(session, "control_request_cancel")).toMatchObject([
      { request_id: "r", reason: "withdrawn" },
      { request_id: "q", reason: "withdrawn" },
    ]);
    expectGuarantees(session);
  });

  test("an unanswered prompt is not withdrawn by the delayed result of the previous turn", async () => {
    const session = await asked(wakeUpLine(), initLine(), promptLine("r"));
    expect(emittedOf(session, "turn_started")).toHaveLength(2);
    await session.claude().say(resultLine());
    expect(emittedOf(session, "control_request_cancel")).toEqual([]);
    expect(await writtenBy(session, () => approve(session))).toHaveLength(1);
    await session.claude().say(promptLine("q"));
    await session.claude().say(wakeResultLine());
    expect(emittedOf(session, "control_request_cancel")).toMatchObject([
      { request_id: "q", reason: "withdrawn" },
    ]);
    expectGuarantees(session);
  });

  test("an unanswered prompt ends with the process, and a later answer is stale", async () => {
    const session = await asked(promptLine("r"));
    await session.claude().exit({ exitCode: 1 });
    expect(emittedOf(session, "control_request_cancel")).toMatchObject([{ reason: "exited" }]);
    expectGuarantees(session, true);
    approve(session);
    expect(session.emitted.at(-1)).toMatchObject({ code: "stale_request" });
  });

  test("an unanswered prompt of a background task has its parent_tool_use_id and no turn, and outlives the turn", async () => {
    const task = captured("task started");
    const launched = captured("async launched");
    const session = await asked(task, launched, promptLine("r", { agent_id: task["task_id"] }));
    const [forward] = emittedOf(session, "control_request_forward");
    expect(forward).toMatchObject({ parent_tool_use_id: task["tool_use_id"] });
    expect(forward).not.toHaveProperty("turn_id");
    await session.claude().say(resultLine());
    expect(emittedOf(session, "control_request_cancel")).toEqual([]);
    expect(await writtenBy(session, () => approve(session))).toHaveLength(1);
    expectGuarantees(session);
  });
});

test("a prompt over the limit of open prompts is refused, and is forwarded once another one is closed", async () => {
  const session = await asked();
  for (let at = 0; at < MAX_OPEN_PROMPTS; at += 1)
    await session.claude().say(promptLine(`prompt ${at}`));
  const excess = () => session.claude().say(promptLine("r"));
  expect(await writtenBy(session, excess)).toMatchObject([
    { response: { subtype: "error", request_id: "r" } },
  ]);
  expect(session.emitted.at(-1)).toMatchObject({ type: "error", code: "control_rejected" });
  const repeated = () => session.claude().say(promptLine("prompt 0"));
  expect(await writtenBy(session, repeated)).toEqual([]);
  approve(session, { request_id: "prompt 0" });
  expect(await emittedBy(session, excess)).toMatchObject([
    { type: "control_request_forward", request_id: "r" },
  ]);
  expectGuarantees(session);
});

test("two open prompts can be answered in any order", async () => {
  const session = await asked(promptLine("a"), promptLine("b"));
  approve(session, { request_id: "b" });
  expect(session.emitted.at(-1)).toMatchObject({
    type: "control_request_resolved",
    request_id: "b",
  });
  approve(session, { request_id: "a" });
  await session.claude().say(toolResultLine("toolu_01Mock0003", "ok"));
  await session.claude().say(resultLine());
  expect(emittedOf(session, "session_state").map(({ state }) => state)).toEqual([
    "starting",
    "idle",
    "running",
    "requires_action",
    "running",
    "idle",
  ]);
  expectGuarantees(session);
});
