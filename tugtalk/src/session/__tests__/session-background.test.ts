/** Background work: the tool call that it belongs to, and how its prompts end (§15, §21). */
import { describe, expect, test } from "bun:test";
import {
  assistantLine,
  initLine,
  promptLine,
  resultLine,
  textBlock,
  toolBlock,
} from "../../../testing/drivers/claude-lines.ts";
import {
  answerTo,
  emittedBy,
  emittedOf,
  expectGuarantees,
  requestOf,
  sayAsHost,
  writtenBy,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";

type Line = Readonly<Record<string, unknown>>;

/** Lines in the shapes that 2.1.330 prints; ids and texts are made up. */
const taskStarted = (task_id: string, tool_use_id: string, fields: Line = {}) => ({
  type: "system",
  subtype: "task_started",
  task_type: "local_agent",
  task_id,
  tool_use_id,
  is_backgrounded: true,
  spawn_depth: 1,
  ...fields,
});
const NESTED = { is_backgrounded: false, spawn_depth: 2, parent_task_id: "outer" };
const FOREGROUND = { is_backgrounded: false };
const moved = (task_id: string) => ({
  type: "system",
  subtype: "task_updated",
  task_id,
  patch: { is_backgrounded: true },
});
const prompt = (agent_id: string) => promptLine("r", { agent_id, tool_use_id: "bash" });
const FORM_CALL = toolBlock("form", "mcp__tide__ask", { question: "who?" });
const FORM_ASKED = {
  type: "control_request",
  request_id: "e",
  request: { subtype: "elicitation", mcp_server_name: "tide", message: "who?", mode: "form" },
};
const speech = (parent_tool_use_id: string, block: Line = textBlock("I count.")) =>
  assistantLine("m-agent", block, { parent_tool_use_id });

/** A session in a turn in which Claude has printed these lines. */
async function inTurn(...lines: readonly Line[]): Promise<TestSession> {
  const session = await startSession();
  sayAsHost(session, "go");
  for (const line of [initLine(), ...lines]) await session.claude().say(line);
  return session;
}

const turnOf = (session: TestSession) => emittedOf(session, "turn_started").at(-1)?.["turn_id"];
const allow = (session: TestSession) =>
  session.session.handleToolApproval({
    type: "tool_approval",
    request_id: "r",
    decision: "allow",
  });
const accept = (session: TestSession) =>
  session.session.handleQuestionAnswer({
    type: "elicitation_answer",
    request_id: "e",
    action: "accept",
  });
const callTool = (session: TestSession) =>
  session.session.handleControl({
    type: "control",
    subtype: "mcp_call",
    tool: "mcp__tide__ask",
    arguments: { question: "who?" },
    id: "call",
  });

/** The turn ends and the prompt stays open; the host's answer then reaches Claude. */
async function expectOutlivesTurn(
  session: TestSession,
  answer: (session: TestSession) => void,
): Promise<void> {
  expect(await writtenBy(session, () => session.claude().say(resultLine()))).toEqual([]);
  expect(emittedOf(session, "turn_complete")).toHaveLength(1);
  expect(emittedOf(session, "control_request_cancel")).toEqual([]);
  expect(emittedOf(session, "session_state").at(-1)).toMatchObject({ state: "requires_action" });
  expect(await writtenBy(session, () => answer(session))).toMatchObject([
    { type: "control_response", response: { subtype: "success" } },
  ]);
  expectGuarantees(session);
}

describe("prompt of background work", () => {
  test("a prompt of background work outlives the turn when a foreground agent inside a background agent asks", async () => {
    const outer = taskStarted("outer", "call-1");
    const inner = taskStarted("inner", "call-2", NESTED);
    const session = await inTurn(outer, inner, prompt("inner"));
    const [forward] = emittedOf(session, "control_request_forward");
    expect(forward).toMatchObject({ parent_tool_use_id: "call-2" });
    expect(forward).not.toHaveProperty("turn_id");
    await expectOutlivesTurn(session, allow);
  });

  test("a prompt of background work outlives the turn when its agent is moved to the background while it is open", async () => {
    const started = taskStarted("outer", "call-1", FOREGROUND);
    const session = await inTurn(started, prompt("outer"), moved("outer"));
    expect(emittedOf(session, "control_request_forward")).toMatchObject([
      { parent_tool_use_id: "call-1", turn_id: turnOf(session) },
    ]);
    await expectOutlivesTurn(session, allow);
  });

  test("a prompt of background work outlives the turn when the parent of its agent is moved to the background", async () => {
    const started = taskStarted("outer", "call-1", FOREGROUND);
    const inner = taskStarted("inner", "call-2", NESTED);
    const session = await inTurn(started, inner, prompt("inner"), moved("outer"));
    await expectOutlivesTurn(session, allow);
  });

  test("a prompt of background work outlives the turn when it is an elicitation of an MCP call of a background agent", async () => {
    const session = await inTurn(
      taskStarted("outer", "call-1"),
      speech("call-1", FORM_CALL),
      FORM_ASKED,
    );
    const [forward] = emittedOf(session, "elicitation_request");
    expect(forward).toMatchObject({ parent_tool_use_id: "call-1" });
    expect(forward).not.toHaveProperty("turn_id");
    await expectOutlivesTurn(session, accept);
  });

  test("a prompt of background work outlives the turn when its caller is unknown", async () => {
    const session = await inTurn(FORM_ASKED);
    const [forward] = emittedOf(session, "elicitation_request");
    expect(forward).not.toHaveProperty("turn_id");
    await expectOutlivesTurn(session, accept);
  });

  test("a prompt of background work outlives the turn when the host itself has called the tool that asks", async () => {
    const session = await inTurn();
    callTool(session);
    await session.claude().say(FORM_ASKED);
    const [forward] = emittedOf(session, "elicitation_request");
    expect(forward).not.toHaveProperty("turn_id");
    await expectOutlivesTurn(session, accept);
  });
});

describe("elicitation of a tool that the host itself has called", () => {
  async function asked(): Promise<TestSession> {
    const session = await startSession();
    callTool(session);
    await session.claude().say(FORM_ASKED);
    return session;
  }

  test("an elicitation of a tool that the host itself has called is cancelled when the call has ended", async () => {
    const session = await asked();
    const written = await writtenBy(session, () => answerTo(session, "mcp_call"));
    expect(written).toMatchObject([
      { response: { request_id: "e", response: { action: "cancel" } } },
    ]);
    expect(session.emitted.slice(-3)).toMatchObject([
      { type: "control_request_cancel", request_id: "e", reason: "withdrawn" },
      { type: "session_state", state: "idle" },
      { type: "control_result", subtype: "mcp_call", ok: true },
    ]);
    expectGuarantees(session);
  });

  test("an elicitation of a tool that the host itself has called is cancelled when the call times out", async () => {
    const session = await asked();
    const written = await writtenBy(session, () => session.clock.advance(600_000));
    expect(written).toMatchObject([
      { response: { request_id: "e", response: { action: "cancel" } } },
    ]);
    expect(emittedOf(session, "control_result")).toMatchObject([
      { subtype: "mcp_call", ok: false },
    ]);
    expect(emittedOf(session, "session_state").at(-1)).toMatchObject({ state: "idle" });
    expectGuarantees(session);
  });

  test("an elicitation of a tool that the host itself has called stays open until the last of two calls of the same tool has ended", async () => {
    const session = await asked();
    callTool(session);
    const first = requestOf(session, "mcp_call");
    await session.claude().say({ ...FORM_ASKED, request_id: "f" });
    await session.claude().say({
      type: "control_response",
      response: { subtype: "success", request_id: first.request_id },
    });
    expect(emittedOf(session, "control_request_cancel")).toEqual([]);
    await answerTo(session, "mcp_call");
    expectGuarantees(session);
  });
});

describe("elicitation of a foreground call", () => {
  const called = () => inTurn(assistantLine("m", FORM_CALL), FORM_ASKED);

  test("an elicitation of a foreground call belongs to the turn, and is cancelled when the turn is interrupted", async () => {
    const session = await called();
    expect(emittedOf(session, "elicitation_request")).toMatchObject([{ turn_id: turnOf(session) }]);
    session.session.handleInterrupt({ type: "interrupt" });
    const written = await writtenBy(session, () => session.claude().say(resultLine()));
    expect(written).toMatchObject([
      { response: { request_id: "e", response: { action: "cancel" } } },
    ]);
    expect(emittedOf(session, "control_request_cancel")).toMatchObject([
      { request_id: "e", reason: "interrupted" },
    ]);
    expectGuarantees(session);
  });

  test("an elicitation of a foreground call is cancelled before a session command closes Claude's stdin", async () => {
    const session = await called();
    const old = session.claude();
    await emittedBy(session, () => session.session.handleNewSession());
    expect(old.writes.at(-1)).toMatchObject({
      response: { request_id: "e", response: { action: "cancel" } },
    });
    expect(old.traffic.at(-1)).toMatchObject({ from: "end" });
    expect(emittedOf(session, "control_request_cancel")).toMatchObject([{ reason: "interrupted" }]);
  });
});

test("a prompt stays open until the process exits when Claude only closes its stdout", async () => {
  const session = await inTurn(promptLine("r"));
  const written = await writtenBy(session, async () => {
    session.claude().closeOutput();
    await session.settle();
    expect(emittedOf(session, "control_request_cancel")).toEqual([]);
    allow(session);
  });
  expect(written).toEqual([]);
  expect(session.emitted.at(-1)).toMatchObject({ type: "error", code: "stale_request" });
  await session.claude().exit({ exitCode: 1 });
  expect(emittedOf(session, "control_request_cancel")).toMatchObject([{ reason: "exited" }]);
  expectGuarantees(session, true);
});

test("a prompt does not time out after Claude has closed its stdout", async () => {
  const session = await startSession({ init: { options: { prompt_timeout_ms: 5_000 } } });
  await session.claude().say(promptLine("r"));
  session.claude().closeOutput();
  await session.settle();
  session.clock.advance(5_000);
  expect(emittedOf(session, "control_request_cancel")).toEqual([]);
  await session.claude().exit({ exitCode: 1 });
  expect(emittedOf(session, "control_request_cancel")).toMatchObject([{ reason: "exited" }]);
});

describe("message of background work", () => {
  test("a message of background work has the first tool call of its agent and no turn after a later call has resumed the agent", async () => {
    const session = await inTurn(taskStarted("outer", "call-1"), resultLine());
    sayAsHost(session, "more");
    const again = taskStarted("outer", "call-9");
    for (const line of [initLine(), again, speech("call-1"), prompt("outer")])
      await session.claude().say(line);
    const emitted = [
      emittedOf(session, "assistant_text").at(-1),
      emittedOf(session, "control_request_forward").at(-1),
    ];
    for (const message of emitted) {
      expect(message).toMatchObject({ parent_tool_use_id: "call-1" });
      expect(message).not.toHaveProperty("turn_id");
    }
    await session.claude().say(resultLine());
    expect(emittedOf(session, "control_request_cancel")).toEqual([]);
    expectGuarantees(session);
  });

  test("a message of background work has the first tool call of its agent and no turn when the agent was in the foreground before", async () => {
    const session = await inTurn(taskStarted("outer", "call-1", FOREGROUND), resultLine());
    sayAsHost(session, "more");
    for (const line of [initLine(), taskStarted("outer", "call-9"), speech("call-1")])
      await session.claude().say(line);
    const text = emittedOf(session, "assistant_text").at(-1);
    expect(text).toMatchObject({ parent_tool_use_id: "call-1" });
    expect(text).not.toHaveProperty("turn_id");
    expectGuarantees(session);
  });

  test("a message of background work has the tool call of a nested agent and no turn in a later turn of the user", async () => {
    const outer = taskStarted("outer", "call-1");
    const session = await inTurn(outer, taskStarted("inner", "call-2", NESTED), resultLine());
    sayAsHost(session, "unrelated");
    for (const line of [initLine(), speech("call-2"), prompt("inner")])
      await session.claude().say(line);
    for (const message of [
      emittedOf(session, "assistant_text").at(-1),
      emittedOf(session, "control_request_forward").at(-1),
    ]) {
      expect(message).toMatchObject({ parent_tool_use_id: "call-2" });
      expect(message).not.toHaveProperty("turn_id");
    }
    expectGuarantees(session);
  });
});

describe("a notification of an agent (made up after §3f and the declared shape)", () => {
  const BASH = toolBlock("bash", "Bash", { command: "sleep 40" });
  const denied = {
    type: "system",
    subtype: "permission_denied",
    tool_name: "Bash",
    tool_use_id: "unprinted",
    agent_id: "outer",
    message: "Denied",
  };
  const progress = { type: "tool_progress", tool_name: "Bash", elapsed_time_seconds: 30 };
  const heartbeat = {
    ...progress,
    tool_use_id: "bash-heartbeat-0",
    parent_tool_use_id: "bash",
    heartbeat: true,
  };
  const ofTask = { ...progress, tool_use_id: "unprinted", task_id: "outer" };
  const ROWS: readonly (readonly [name: string, line: Line])[] = [
    ["permission_denied", denied],
    ["the heartbeat of its tool", heartbeat],
    ["progress of its task", ofTask],
  ];
  const emittedFor = async (line: Line, fields?: Line) => {
    const started = taskStarted("outer", "call-1", fields);
    const session = await inTurn(started, speech("call-1", BASH));
    const [emitted] = await emittedBy(session, () => session.claude().say(line));
    return { emitted, turn_id: turnOf(session) };
  };

  test.each(ROWS)(
    "%s has its call and no turn when the agent is background work",
    async (...row) => {
      const { emitted } = await emittedFor(row[1]);
      expect(emitted).toMatchObject({ parent_tool_use_id: "call-1" });
      expect(emitted).not.toHaveProperty("turn_id");
    },
  );

  test.each(ROWS)(
    "%s has its call and the turn when the agent is in the foreground",
    async (...row) => {
      const { emitted, turn_id } = await emittedFor(row[1], FOREGROUND);
      expect(emitted).toMatchObject({ parent_tool_use_id: "call-1", turn_id });
    },
  );

  test("permission_denied has no turn when the agent is background work without a call", async () => {
    const session = await inTurn(taskStarted("outer", "call-1", { tool_use_id: undefined }));
    const [emitted] = await emittedBy(session, () => session.claude().say(denied));
    expect(emitted).toMatchObject({ type: "permission_denied" });
    expect(emitted).not.toHaveProperty("turn_id");
  });

  test("progress of the agent's own call has no turn and no parent when it is background work", async () => {
    const { emitted } = await emittedFor({ ...ofTask, tool_use_id: "call-1" });
    expect(emitted).toMatchObject({ type: "tool_progress", tool_use_id: "call-1" });
    expect(emitted).not.toHaveProperty("turn_id");
    expect(emitted).not.toHaveProperty("parent_tool_use_id");
  });
});

test("the end of an agent that another agent waits for starts no turn", async () => {
  const outer = taskStarted("outer", "call-1");
  const session = await inTurn(outer, taskStarted("inner", "call-2", NESTED));
  const ended = { task_id: "inner", tool_use_id: "call-2", status: "completed", summary: "" };
  await session.claude().say({ type: "system", subtype: "task_notification", ...ended });
  await session.claude().say(initLine());
  expect(emittedOf(session, "turn_started")).toHaveLength(1);
});
