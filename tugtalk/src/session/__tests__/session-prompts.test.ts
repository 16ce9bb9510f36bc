/** Prompts of Claude and their answers: the written lines, the emitted messages, and how a prompt ends (§5). */
import { expect, test } from "bun:test";
import { captured } from "../../../testing/captures/captured-line.ts";
import {
  initLine,
  promptLine,
  questionLine,
  resultLine,
  toolResultLine,
  wakeResultLine,
  wakeUpLine,
} from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { FIRST, inTurn } from "../../../testing/drivers/working-session.ts";
import type { Fields } from "../../base/json.ts";
import { DEFAULT_DENIAL } from "../../control.ts";
import { MAX_OPEN_PROMPTS } from "../../permissions.ts";
import type { QuestionAnswer, ToolApproval } from "../../types.ts";

const cancels = (session: TestSession) =>
  session.of("control_request_cancel").map(({ request_id, reason }) => `${request_id} ${reason}`);

test.each(["38", "330"])(
  "a prompt of %s is forwarded in the turn with all that Claude sent",
  async (version) => {
    const line = captured(`can_use_tool ${version}`);
    const { subtype: _subtype, ...request } = line["request"] as Fields;
    const session = await inTurn(line);
    const own = { request_id: line["request_id"], is_question: false, turn_id: session.turnId };
    expect(session.of("control_request_forward")).toMatchObject([{ ...request, ...own }]);
    await session.say({ ...captured(`question ${version}`), request_id: "q" });
    expect(session.last).toMatchObject({ request_id: "q", is_question: true });
  },
);

const INPUT = { file_path: "/work/project/a.txt", content: "x\n" };
const ALLOW = { behavior: "allow", updatedInput: INPUT };
const [SUGGESTION] = (promptLine("r")["request"] as { permission_suggestions: Fields[] })
  .permission_suggestions;

type Approval = readonly [name: string, said: Partial<ToolApproval>, written: Fields];
const APPROVALS: readonly Approval[] = [
  ["without updatedInput", {}, ALLOW],
  ["with an empty updatedInput", { updatedInput: {} }, ALLOW],
  [
    "with a changed updatedInput",
    { updatedInput: { ...INPUT, content: "y" } },
    { behavior: "allow", updatedInput: { ...INPUT, content: "y" } },
  ],
  [
    "with the suggestion of the prompt",
    { updatedPermissions: [SUGGESTION] as ToolApproval["updatedPermissions"] },
    { ...ALLOW, updatedPermissions: [SUGGESTION] },
  ],
  [
    "that denies without a message",
    { decision: "deny" },
    { behavior: "deny", message: DEFAULT_DENIAL },
  ],
  [
    "that denies with an empty message",
    { decision: "deny", message: "" },
    { behavior: "deny", message: "" },
  ],
  [
    "that denies and interrupts",
    { decision: "deny", message: "no", interrupt: true },
    { behavior: "deny", message: "no", interrupt: true },
  ],
];

test.each([...APPROVALS])(
  "an approval %s is written in full and resolved once",
  async (_name, said, written) => {
    const session = await inTurn(promptLine("r"));
    let emitted: readonly Fields[] = [];
    const lines = await session.writtenBy(async () => {
      emitted = await session.emittedBy(() => session.approve({ ...said, id: "reply" }));
    });
    const response = { subtype: "success", request_id: "r", response: written };
    expect(lines).toEqual([{ type: "control_response", response }]);
    const outcome = written["behavior"];
    expect(emitted).toMatchObject([
      { type: "control_request_resolved", request_id: "r", outcome, in_reply_to: "reply" },
      { type: "session_state", state: "running" },
    ]);
  },
);

test("a denial with interrupt cancels the turn", async () => {
  const session = await inTurn(promptLine("r"));
  session.approve({ decision: "deny", interrupt: true });
  await session.say(captured("result interrupted 38"));
  expect(session.of("turn_complete")).toMatchObject([{ result: "cancelled", is_error: false }]);
});

type Answer = readonly [name: string, said: Partial<QuestionAnswer>, added?: Fields];
const ANSWERS: readonly Answer[] = [
  ["a label", { answers: { "Which colour?": "Red" } }],
  ["several labels", { answers: { "Which colours?": ["Red", "Sea, green"] } }],
  ["no label of several", { answers: { "Which colours?": [] } }],
  [
    "one label of several",
    { answers: { "Which colours?": "Sea, green" } },
    { answers: { "Which colours?": ["Sea, green"] } },
  ],
  ["free text for a question", { answers: { "Which colour?": "neither, both" } }],
  ["free text", { answers: {}, response: "neither" }],
  [
    "a label with notes",
    { answers: { "Which colour?": "Red" }, annotations: { "Which colour?": { notes: "dark" } } },
  ],
];

test.each([...ANSWERS])(
  "an answer that is %s is added to the input of the questions",
  async (_name, said, added = said) => {
    const line = questionLine("r");
    const session = await inTurn(line);
    const { input } = line["request"] as { input: object };
    const [written] = await session.writtenBy(() => session.answer(said));
    const updatedInput = { ...input, ...added };
    expect(written).toHaveProperty("response.response", { behavior: "allow", updatedInput });
    expect(session.of("control_request_resolved")).toMatchObject([{ outcome: "answered" }]);
  },
);

test.each<[name: string, code: string, said: (session: TestSession) => void]>([
  ["to an unknown request", "unknown_request", (session) => session.approve({ request_id: "x" })],
  ["of another kind", "bad_message", (session) => session.answer({ answers: { a: "b" } })],
])("an answer %s writes nothing and leaves the prompt open", async (_name, code, said) => {
  const session = await inTurn(promptLine("r"));
  expect(await session.writtenBy(() => said(session))).toEqual([]);
  expect(session.last).toMatchObject({ type: "error", code, source: "host" });
  expect(await session.writtenBy(() => session.approve())).toHaveLength(1);
});

test("a second answer to a prompt is stale", async () => {
  const session = await inTurn(promptLine("r"));
  session.approve();
  expect(await session.writtenBy(() => session.approve())).toEqual([]);
  expect(session.last).toMatchObject({ type: "error", code: "stale_request", request_id: "r" });
});

test.each([
  ["while it is open", () => {}],
  ["after its answer", (session: TestSession) => session.approve()],
])("a repeated prompt %s is neither forwarded nor answered again", async (_name, between) => {
  const session = await inTurn(promptLine("r"));
  between(session);
  expect(await session.writtenBy(promptLine("r"))).toEqual([]);
  expect(session.of("control_request_forward")).toHaveLength(1);
});

const cancel = (request_id: string) => ({ type: "control_cancel_request", request_id });

test("control_cancel_request withdraws the prompt, and a later answer is stale", async () => {
  const session = await inTurn(promptLine("r"), cancel("r"));
  expect(cancels(session)).toEqual(["r withdrawn"]);
  expect(await session.writtenBy(() => session.approve())).toEqual([]);
  expect(session.last).toMatchObject({ code: "stale_request" });
});

test("control_cancel_request after an interrupt of the host has the reason interrupted", async () => {
  const session = await inTurn(promptLine("r"));
  session.interrupt();
  await session.say(cancel("r"));
  expect(cancels(session)).toEqual(["r interrupted"]);
});

test("control_cancel_request in the turn after an interrupted turn has the reason withdrawn", async () => {
  const session = await inTurn();
  session.interrupt();
  await session.say(captured("result interrupted 330"));
  session.message("again");
  await session.say(promptLine("r"), cancel("r"));
  expect(cancels(session)).toEqual(["r withdrawn"]);
});

test("control_cancel_request in the turn after one that an interrupt cancelled before its start has the reason withdrawn", async () => {
  const session = await startSession();
  session.message("go", { message_id: FIRST });
  session.interrupt({ cancel_queued: true });
  await session.answerTo("interrupt", { response: { still_queued: [], cancelled: [FIRST] } });
  expect(session.of("turn_cancelled")).toMatchObject([{ reason: "rejected" }]);
  session.message("again");
  await session.say(initLine(), promptLine("r"), cancel("r"));
  expect(cancels(session)).toEqual(["r withdrawn"]);
});

test("control_cancel_request for an unknown prompt is ignored", async () => {
  const session = await inTurn(promptLine("r"));
  expect(await session.emittedBy(cancel("never"))).toEqual([]);
});

test("an unanswered prompt is withdrawn by the result of its turn", async () => {
  const session = await inTurn(promptLine("r"), questionLine("q"), resultLine());
  expect(cancels(session)).toEqual(["r withdrawn", "q withdrawn"]);
});

test("an unanswered prompt is not withdrawn by the delayed result of the previous turn", async () => {
  const session = await inTurn(wakeUpLine(), initLine(), promptLine("r"));
  expect(session.of("turn_started")).toHaveLength(2);
  await session.say(resultLine());
  expect(cancels(session)).toEqual([]);
  expect(await session.writtenBy(() => session.approve())).toHaveLength(1);
  await session.say(promptLine("q"), wakeResultLine());
  expect(cancels(session)).toEqual(["q withdrawn"]);
});

test("an unanswered prompt ends with the process, and a later answer is stale", async () => {
  const session = await inTurn(promptLine("r"));
  await session.exit({ exitCode: 1 });
  expect(cancels(session)).toEqual(["r exited"]);
  session.approve();
  expect(session.last).toMatchObject({ code: "stale_request" });
});

test("a prompt over the limit of open prompts is refused, and is forwarded once another one is closed", async () => {
  const prompts = Array.from({ length: MAX_OPEN_PROMPTS }, (_, at) => promptLine(`prompt ${at}`));
  const session = await inTurn(...prompts);
  expect(await session.writtenBy(promptLine("r"))).toMatchObject([
    { response: { subtype: "error", request_id: "r" } },
  ]);
  expect(session.last).toMatchObject({ type: "error", code: "control_rejected" });
  expect(await session.writtenBy(promptLine("prompt 0"))).toEqual([]);
  session.approve({ request_id: "prompt 0" });
  expect(await session.emittedBy(promptLine("r"))).toMatchObject([
    { type: "control_request_forward", request_id: "r" },
  ]);
});

test("two open prompts can be answered in any order", async () => {
  const session = await inTurn(promptLine("a"), promptLine("b"));
  session.approve({ request_id: "b" });
  expect(session.last).toMatchObject({ type: "control_request_resolved", request_id: "b" });
  session.approve({ request_id: "a" });
  await session.say(toolResultLine("toolu_01Mock0003", "ok"), resultLine());
  expect(session.states).toEqual([
    "starting",
    "idle",
    "running",
    "requires_action",
    "running",
    "idle",
  ]);
});
