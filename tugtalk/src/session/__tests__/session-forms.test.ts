/** Forms that several tools may have asked for, and the limits of a turn meanwhile (§15, §21). */
import { describe, expect, test } from "bun:test";
import {
  assistantLine,
  initLine,
  promptLine,
  resultLine,
  toolBlock,
  toolResultLine,
} from "../../../testing/drivers/claude-lines.ts";
import {
  answerTo,
  emittedOf,
  expectGuarantees,
  sayAsHost,
  writtenBy,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";

type Line = Readonly<Record<string, unknown>>;

const LIMIT_MS = 50;
const ASK = "mcp__tide__ask";
const mainCall = (name: string, id: string) => assistantLine(`main-${id}`, toolBlock(id, name));
const agentCall = (parent_tool_use_id: string, name: string, id: string) =>
  assistantLine(`agent-${id}`, toolBlock(id, name), { parent_tool_use_id });
const form = (request_id: string) => ({
  type: "control_request",
  request_id,
  request: { subtype: "elicitation", mcp_server_name: "tide", message: "who?", mode: "form" },
});
const task = (subtype: string, task_id: string, tool_use_id: string, fields: Line = {}) => ({
  type: "system",
  subtype,
  task_type: "local_agent",
  task_id,
  tool_use_id,
  ...fields,
});
const taskEnded = (task_id: string, tool_use_id: string) =>
  task("task_notification", task_id, tool_use_id, { status: "completed", summary: "" });
const launched = (tool_use_id: string, agentId: string) =>
  toolResultLine(tool_use_id, "launched", { tool_use_result: { isAsync: true, agentId } });

/** An agent in the background, in the shapes that 2.1.197 was seen to print; ids are made up. */
const OUTER_197 = [
  mainCall("Agent", "call-1"),
  task("task_started", "outer", "call-1"),
  launched("call-1", "outer"),
];
const NESTED_197 = [
  ...OUTER_197,
  agentCall("call-1", "Agent", "call-2"),
  task("task_started", "inner", "call-2"),
];
const NESTED_330 = [
  mainCall("Agent", "call-1"),
  task("task_started", "outer", "call-1", { is_backgrounded: true, spawn_depth: 1 }),
  launched("call-1", "outer"),
  task("task_started", "inner", "call-2", {
    is_backgrounded: false,
    spawn_depth: 2,
    parent_task_id: "outer",
  }),
];

async function print(session: TestSession, ...lines: readonly Line[]): Promise<void> {
  for (const line of lines) await session.claude().say(line);
}

/** A session in a turn in which Claude has printed these lines. */
async function inTurn(...lines: readonly Line[]): Promise<TestSession> {
  const init = { options: { first_token_timeout_ms: LIMIT_MS } };
  const session = await startSession({ init });
  sayAsHost(session, "go");
  await print(session, initLine(), ...lines);
  return session;
}

const callAsHost = (session: TestSession) =>
  session.session.handleControl({
    type: "control",
    subtype: "mcp_call",
    tool: ASK,
    arguments: { question: "who?" },
  });
const accept = (session: TestSession, request_id: string) =>
  session.session.handleQuestionAnswer({
    type: "elicitation_answer",
    request_id,
    action: "accept",
  });
const refusal = (request_id: string) => ({
  response: { request_id, response: { action: "cancel" } },
});
const cancelled = (session: TestSession) =>
  emittedOf(session, "control_request_cancel").map(({ request_id }) => request_id);

describe.each([
  ["2.1.197", NESTED_197],
  ["2.1.330", NESTED_330],
])("a form while a nested background agent of %s runs", (_version, nested) => {
  const asked = () => inTurn(...nested, mainCall(ASK, "form"), form("e"));

  test("a form of a nested background agent outlives the turn, even when the main conversation has called the server", async () => {
    const session = await asked();
    const [forward] = emittedOf(session, "elicitation_request");
    expect(forward).not.toHaveProperty("turn_id");
    expect(forward).not.toHaveProperty("parent_tool_use_id");
    expect(await writtenBy(session, () => print(session, resultLine()))).toEqual([]);
    expect(await writtenBy(session, () => accept(session, "e"))).toHaveLength(1);
    expect(cancelled(session)).toEqual([]);
    expectGuarantees(session);
  });

  test("a form of a nested background agent is refused when that agent ends after the turn", async () => {
    const session = await asked();
    await print(session, resultLine());
    const written = await writtenBy(session, () => print(session, taskEnded("inner", "call-2")));
    expect(written).toMatchObject([refusal("e")]);
    expect(cancelled(session)).toEqual(["e"]);
    expectGuarantees(session);
  });

  test("a form of a nested background agent is refused at the end of the turn when that agent has ended before", async () => {
    const session = await asked();
    await print(session, taskEnded("inner", "call-2"));
    expect(cancelled(session)).toEqual([]);
    expect(await writtenBy(session, () => print(session, resultLine()))).toMatchObject([
      refusal("e"),
    ]);
    expectGuarantees(session);
  });
});

test("a permission prompt of an agent inside a background agent of 2.1.197 outlives the turn", async () => {
  const session = await inTurn(...NESTED_197, promptLine("r", { agent_id: "inner" }));
  const [forward] = emittedOf(session, "control_request_forward");
  expect(forward).toMatchObject({ parent_tool_use_id: "call-2" });
  expect(forward).not.toHaveProperty("turn_id");
  await print(session, resultLine());
  expect(cancelled(session)).toEqual([]);
  expectGuarantees(session);
});

test("a form is certain of its agent while a command of another agent runs in the background", async () => {
  const command = task("task_started", "sleep", "call-3", { task_type: "local_bash" });
  const started = [...OUTER_197, agentCall("call-1", "Bash", "call-3"), command];
  const session = await inTurn(...started, mainCall(ASK, "form"), form("e"));
  expect(emittedOf(session, "elicitation_request")[0]).toHaveProperty("turn_id");
});

describe("form of an interrupted turn", () => {
  test("the form of an interrupted turn is refused when the host's call that may have caused it has ended", async () => {
    const session = await inTurn();
    callAsHost(session);
    await print(session, form("host"), mainCall(ASK, "form"), form("main"));
    session.session.handleInterrupt({ type: "interrupt" });
    await print(session, toolResultLine("form", "rejected", { is_error: true }), resultLine());
    expect(cancelled(session)).toEqual([]);
    accept(session, "host");
    expect(await writtenBy(session, () => answerTo(session, "mcp_call"))).toMatchObject([
      refusal("main"),
    ]);
    expect(cancelled(session)).toEqual(["main"]);
    expect(emittedOf(session, "session_state").at(-1)).toMatchObject({ state: "idle" });
    expectGuarantees(session);
  });

  test("the form of an interrupted turn is refused when the background call that may have caused it has ended", async () => {
    const agent = [...OUTER_197, agentCall("call-1", ASK, "agent-form"), form("agent")];
    const session = await inTurn(...agent, mainCall(ASK, "form"), form("main"));
    session.session.handleInterrupt({ type: "interrupt" });
    await print(session, resultLine());
    expect(cancelled(session)).toEqual([]);
    accept(session, "agent");
    const result = toolResultLine("agent-form", "ok", { parent_tool_use_id: "call-1" });
    expect(await writtenBy(session, () => print(session, result))).toMatchObject([refusal("main")]);
    expect(cancelled(session)).toEqual(["main"]);
    expectGuarantees(session);
  });
});

describe("stream timeout", () => {
  const stalls = (session: TestSession) => {
    session.clock.advance(LIMIT_MS);
    return emittedOf(session, "error").map(({ code }) => code);
  };

  test("the stream timeout runs while a background agent waits for a permission", async () => {
    const session = await inTurn(...OUTER_197, promptLine("r", { agent_id: "outer" }));
    expect(emittedOf(session, "session_state").at(-1)).toMatchObject({ state: "requires_action" });
    expect(stalls(session)).toEqual(["claude_unresponsive"]);
    expect(emittedOf(session, "session_state").at(-1)).toMatchObject({ state: "requires_action" });
  });

  test("the stream timeout runs while a tool that the host has called waits for its form", async () => {
    const session = await inTurn();
    callAsHost(session);
    await print(session, form("e"));
    expect(stalls(session)).toEqual(["claude_unresponsive"]);
  });

  test("the stream timeout runs in a turn that started after the form of a host's call", async () => {
    const session = await startSession({
      init: { options: { first_token_timeout_ms: LIMIT_MS } },
    });
    callAsHost(session);
    await print(session, form("e"));
    sayAsHost(session, "go");
    await print(session, initLine());
    expect(stalls(session)).toEqual(["claude_unresponsive"]);
  });

  test.each([
    ["a permission prompt of the main conversation", promptLine("r")],
    ["a form whose asker is not known", form("e")],
  ])("the stream timeout pauses while %s is open", async (_name, asked) => {
    const session = await inTurn(asked);
    expect(stalls(session)).toEqual([]);
  });
});
