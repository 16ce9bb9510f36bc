/** Forms that several tools may have asked for, and the limits of a turn meanwhile (§15, §21). */
import { describe, expect, test } from "bun:test";
import { toolBlock } from "../../../simulator/stream-events.ts";
import {
  assistantLine,
  formLine,
  initLine,
  promptLine,
  resultLine,
  taskLine,
  toolResultLine,
} from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { working } from "../../../testing/drivers/working-session.ts";
import type { Fields } from "../../base/json.ts";

const LIMIT_MS = 50;
const ASK = "mcp__tide__ask";
const mainCall = (name: string, id: string) => assistantLine(`main-${id}`, toolBlock(id, name));
const agentCall = (parent_tool_use_id: string, name: string, id: string) =>
  assistantLine(`agent-${id}`, toolBlock(id, name), { parent_tool_use_id });
const started = (task_id: string, tool_use_id: string, fields: Fields = {}) =>
  taskLine("task_started", task_id, tool_use_id, fields);
const INNER_ENDED = taskLine("task_notification", "inner", "call-2", {
  status: "completed",
  summary: "",
});
const LAUNCHED = toolResultLine("call-1", "launched", {
  tool_use_result: { isAsync: true, agentId: "outer" },
});

/** An agent in the background, in the shapes that 2.1.197 was seen to print; ids are made up. */
const OUTER_197 = [mainCall("Agent", "call-1"), started("outer", "call-1"), LAUNCHED];
const NESTED_197 = [
  ...OUTER_197,
  agentCall("call-1", "Agent", "call-2"),
  started("inner", "call-2"),
];
const NESTED = { is_backgrounded: false, spawn_depth: 2, parent_task_id: "outer" };
const NESTED_330 = [
  mainCall("Agent", "call-1"),
  started("outer", "call-1", { is_backgrounded: true, spawn_depth: 1 }),
  LAUNCHED,
  started("inner", "call-2", NESTED),
];

const LIMITED = { init: { options: { first_token_timeout_ms: LIMIT_MS } } };

/** A session in a turn in which Claude has printed these lines. */
async function inTurn(...lines: readonly Fields[]): Promise<TestSession> {
  const session = await working(LIMITED);
  await session.say(...lines);
  return session;
}

const callAsHost = (session: TestSession) =>
  session.control("mcp_call", { tool: ASK, arguments: { question: "who?" } });
const refusal = (request_id: string) => ({
  response: { request_id, response: { action: "cancel" } },
});
const cancelled = (session: TestSession) =>
  session.of("control_request_cancel").map(({ request_id }) => request_id);

describe.each([
  ["2.1.197", NESTED_197],
  ["2.1.330", NESTED_330],
])("a form while a nested background agent of %s runs", (_version, nested) => {
  const asked = () => inTurn(...nested, mainCall(ASK, "form"), formLine("e"));

  test("a form of a nested background agent outlives the turn, even when the main conversation has called the server", async () => {
    const session = await asked();
    const [forward] = session.of("elicitation_request");
    expect(forward).not.toHaveProperty("turn_id");
    expect(forward).not.toHaveProperty("parent_tool_use_id");
    expect(await session.writtenBy(resultLine())).toEqual([]);
    expect(await session.writtenBy(() => session.accept())).toHaveLength(1);
    expect(cancelled(session)).toEqual([]);
  });

  test("a form of a nested background agent is refused when that agent ends after the turn", async () => {
    const session = await asked();
    await session.say(resultLine());
    const written = await session.writtenBy(INNER_ENDED);
    expect(written).toMatchObject([refusal("e")]);
    expect(cancelled(session)).toEqual(["e"]);
  });

  test("a form of a nested background agent is refused at the end of the turn when that agent has ended before", async () => {
    const session = await asked();
    await session.say(INNER_ENDED);
    expect(cancelled(session)).toEqual([]);
    expect(await session.writtenBy(resultLine())).toMatchObject([refusal("e")]);
  });
});

test("a permission prompt of an agent inside a background agent of 2.1.197 outlives the turn", async () => {
  const session = await inTurn(...NESTED_197, promptLine("r", { agent_id: "inner" }));
  const [forward] = session.of("control_request_forward");
  expect(forward).toMatchObject({ parent_tool_use_id: "call-2" });
  expect(forward).not.toHaveProperty("turn_id");
  await session.say(resultLine());
  expect(cancelled(session)).toEqual([]);
});

test("a form is certain of its agent while a command of another agent runs in the background", async () => {
  const command = started("sleep", "call-3", { task_type: "local_bash" });
  const running = [...OUTER_197, agentCall("call-1", "Bash", "call-3"), command];
  const session = await inTurn(...running, mainCall(ASK, "form"), formLine("e"));
  expect(session.of("elicitation_request")[0]).toHaveProperty("turn_id");
});

test("the form of an interrupted turn is refused when the host's call that may have caused it has ended", async () => {
  const session = await inTurn();
  callAsHost(session);
  await session.say(formLine("host"), mainCall(ASK, "form"), formLine("main"));
  session.interrupt();
  await session.say(toolResultLine("form", "rejected", { is_error: true }), resultLine());
  expect(cancelled(session)).toEqual([]);
  session.accept("host");
  expect(await session.writtenBy(() => session.answerTo("mcp_call"))).toMatchObject([
    refusal("main"),
  ]);
  expect(cancelled(session)).toEqual(["main"]);
  expect(session.state).toBe("idle");
});

test("the form of an interrupted turn is refused when the background call that may have caused it has ended", async () => {
  const agent = [...OUTER_197, agentCall("call-1", ASK, "agent-form"), formLine("agent")];
  const session = await inTurn(...agent, mainCall(ASK, "form"), formLine("main"));
  session.interrupt();
  await session.say(resultLine());
  expect(cancelled(session)).toEqual([]);
  session.accept("agent");
  const result = toolResultLine("agent-form", "ok", { parent_tool_use_id: "call-1" });
  expect(await session.writtenBy(result)).toMatchObject([refusal("main")]);
  expect(cancelled(session)).toEqual(["main"]);
});

const stalls = (session: TestSession) => {
  session.clock.advance(LIMIT_MS);
  return session.of("error").map(({ code }) => code);
};

test("the stream timeout runs while a background agent waits for a permission", async () => {
  const session = await inTurn(...OUTER_197, promptLine("r", { agent_id: "outer" }));
  expect(session.state).toBe("requires_action");
  expect(stalls(session)).toEqual(["claude_unresponsive"]);
  expect(session.state).toBe("requires_action");
});

test("the stream timeout runs while a tool that the host has called waits for its form", async () => {
  const session = await inTurn();
  callAsHost(session);
  await session.say(formLine("e"));
  expect(stalls(session)).toEqual(["claude_unresponsive"]);
});

test("the stream timeout runs in a turn that started after the form of a host's call", async () => {
  const session = await startSession(LIMITED);
  callAsHost(session);
  await session.say(formLine("e"));
  session.message("go");
  await session.say(initLine());
  expect(stalls(session)).toEqual(["claude_unresponsive"]);
});

test.each([
  ["a permission prompt of the main conversation", promptLine("r")],
  ["a form whose asker is not known", formLine("e")],
])("the stream timeout pauses while %s is open", async (_name, asked) => {
  const session = await inTurn(asked);
  expect(stalls(session)).toEqual([]);
});
