/** Background work: the tool call that it belongs to, and how its prompts end (§15, §21). */
import { expect, test } from "bun:test";
import { textBlock, toolBlock } from "../../../simulator/stream-events.ts";
import {
  assistantLine,
  formLine,
  initLine,
  promptLine,
  resultLine,
  taskLine,
} from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { inTurn } from "../../../testing/drivers/working-session.ts";
import type { Fields } from "../../base/json.ts";

const BACKGROUND = { is_backgrounded: true, spawn_depth: 1 };
const FOREGROUND = { is_backgrounded: false, spawn_depth: 1 };
const NESTED = { is_backgrounded: false, spawn_depth: 2, parent_task_id: "outer" };
const outer = (fields: Fields = BACKGROUND, call = "call-1") =>
  taskLine("task_started", "outer", call, fields);
const inner = taskLine("task_started", "inner", "call-2", NESTED);
const moved = taskLine("task_updated", "outer", undefined, { patch: { is_backgrounded: true } });
const prompt = (agent_id: string) => promptLine("r", { agent_id, tool_use_id: "bash" });
const FORM_CALL = toolBlock("form", "mcp__tide__ask", { question: "who?" });
const speech = (parent_tool_use_id: string, block: Fields = textBlock("I count.")) =>
  assistantLine("m-agent", block, { parent_tool_use_id });
const REFUSAL = { response: { request_id: "e", response: { action: "cancel" } } };

const callTool = (session: TestSession) =>
  session.control("mcp_call", { tool: "mcp__tide__ask", arguments: { question: "who?" } });
const asked = (session: TestSession) =>
  session.of("control_request_forward", "elicitation_request").at(-1);
const cancels = (session: TestSession) =>
  session.of("control_request_cancel").map(({ request_id, reason }) => `${request_id} ${reason}`);

/** The tool call and the turn that a message names. */
const scopeOf = (message: Fields | undefined) => [
  message?.["parent_tool_use_id"],
  message?.["turn_id"],
];

type Open = (session: TestSession) => unknown;
const print =
  (...lines: readonly Fields[]): Open =>
  (session) =>
    session.say(...lines);

test.each<[when: string, open: Open, call: string | undefined]>([
  [
    "a foreground agent inside a background agent asks",
    print(outer(), inner, prompt("inner")),
    "call-2",
  ],
  [
    "it is an elicitation of an MCP call of a background agent",
    print(outer(), speech("call-1", FORM_CALL), formLine("e")),
    "call-1",
  ],
  ["its caller is unknown", print(formLine("e")), undefined],
  [
    "the host itself has called the tool that asks",
    (session) => {
      callTool(session);
      return session.say(formLine("e"));
    },
    undefined,
  ],
])(
  "a prompt of background work has no turn when %s, and outlives it",
  async (_when, open, call) => {
    const session = await inTurn();
    await open(session);
    expect(scopeOf(asked(session))).toEqual([call, undefined]);
    await expectOutlivesTurn(session);
  },
);

test.each([
  ["its agent", [outer(FOREGROUND), prompt("outer"), moved], "call-1"],
  ["the parent of its agent", [outer(FOREGROUND), inner, prompt("inner"), moved], "call-2"],
])(
  "a prompt of a turn outlives it when %s is moved to the background meanwhile",
  async (_who, lines, call) => {
    const session = await inTurn(...lines);
    expect(scopeOf(asked(session))).toEqual([call, session.turnId]);
    await expectOutlivesTurn(session);
  },
);

/** The turn ends and the prompt stays open; the host's answer then reaches Claude. */
async function expectOutlivesTurn(session: TestSession): Promise<void> {
  expect(await session.writtenBy(resultLine())).toEqual([]);
  expect(session.of("turn_complete")).toHaveLength(1);
  expect(cancels(session)).toEqual([]);
  expect(session.state).toBe("requires_action");
  const isForm = asked(session)?.type === "elicitation_request";
  const written = await session.writtenBy(() => (isForm ? session.accept() : session.approve()));
  expect(written).toMatchObject([{ type: "control_response", response: { subtype: "success" } }]);
}

/** The host has called a tool, which asks. */
async function called(): Promise<TestSession> {
  const session = await startSession();
  callTool(session);
  await session.say(formLine("e"));
  return session;
}

test.each<[end: string, ok: boolean, end: Open]>([
  ["has ended", true, (session) => session.answerTo("mcp_call")],
  ["times out", false, (session) => session.clock.advance(600_000)],
])(
  "an elicitation of a tool that the host itself has called is cancelled when the call %s",
  async (_end, ok, end) => {
    const session = await called();
    expect(await session.writtenBy(() => end(session))).toMatchObject([REFUSAL]);
    expect(cancels(session)).toEqual(["e withdrawn"]);
    expect(session.of("control_result")).toMatchObject([{ subtype: "mcp_call", ok }]);
    expect(session.state).toBe("idle");
  },
);

test("an elicitation of a tool that the host itself has called stays open until the last of two calls of the same tool has ended", async () => {
  const session = await called();
  const { request_id } = session.requestOf("mcp_call");
  callTool(session);
  await session.say(formLine("f"));
  await session.answerTo("mcp_call");
  expect(cancels(session)).toEqual([]);
  await session.say({ type: "control_response", response: { subtype: "success", request_id } });
  expect(cancels(session)).toEqual(["e withdrawn", "f withdrawn"]);
});

test("an elicitation of a foreground call belongs to the turn, and is cancelled when the turn is interrupted", async () => {
  const session = await inTurn(assistantLine("m", FORM_CALL), formLine("e"));
  expect(session.of("elicitation_request")).toMatchObject([{ turn_id: session.turnId }]);
  session.interrupt();
  expect(await session.writtenBy(resultLine())).toMatchObject([REFUSAL]);
  expect(cancels(session)).toEqual(["e interrupted"]);
});

test("an elicitation of a foreground call is cancelled before a session command closes Claude's stdin", async () => {
  const session = await inTurn(assistantLine("m", FORM_CALL), formLine("e"));
  await session.emittedBy(() => session.command("new"));
  expect(session.lastWrite).toMatchObject(REFUSAL);
  expect(session.claude().traffic.at(-1)).toMatchObject({ from: "end" });
  expect(cancels(session)).toEqual(["e interrupted"]);
});

test("a prompt stays open until the process exits when Claude only closes its stdout, and does not time out", async () => {
  const session = await startSession({ init: { options: { prompt_timeout_ms: 5_000 } } });
  await session.say(promptLine("r"));
  session.claude().closeOutput();
  await session.settle();
  session.clock.advance(5_000);
  expect(cancels(session)).toEqual([]);
  expect(await session.writtenBy(() => session.approve())).toEqual([]);
  expect(session.last).toMatchObject({ type: "error", code: "stale_request" });
  await session.exit({ exitCode: 1 });
  expect(cancels(session)).toEqual(["r exited"]);
});

test.each([
  ["after a later call has resumed its agent", [outer()], [outer(BACKGROUND, "call-9")], "call-1"],
  [
    "when its agent was in the foreground before",
    [outer(FOREGROUND)],
    [outer(BACKGROUND, "call-9")],
    "call-1",
  ],
  ["in a later turn of the user when its agent is nested", [outer(), inner], [], "call-2"],
])(
  "a message of background work has the first tool call of its agent and no turn %s",
  async (_when, before, after, call) => {
    const session = await inTurn(...before, resultLine());
    session.message("more");
    const agent = call === "call-1" ? "outer" : "inner";
    await session.say(initLine(), ...after, speech(call), prompt(agent));
    expect(scopeOf(session.of("assistant_text").at(-1))).toEqual([call, undefined]);
    expect(scopeOf(asked(session))).toEqual([call, undefined]);
    await session.say(resultLine());
    expect(cancels(session)).toEqual([]);
  },
);

const DENIED = {
  type: "system",
  subtype: "permission_denied",
  tool_name: "Bash",
  tool_use_id: "unprinted",
  agent_id: "outer",
  message: "Denied",
};
const PROGRESS = { type: "tool_progress", tool_name: "Bash", elapsed_time_seconds: 30 };
const OF_TASK = { ...PROGRESS, tool_use_id: "unprinted", task_id: "outer" };
const HEARTBEAT = { tool_use_id: "bash-heartbeat-0", parent_tool_use_id: "bash", heartbeat: true };

/** Made up after §3f and the declared shape. */
const NOTIFICATIONS: readonly (readonly [name: string, line: Fields])[] = [
  ["permission_denied", DENIED],
  ["the heartbeat of its tool", { ...PROGRESS, ...HEARTBEAT }],
  ["progress of its task", OF_TASK],
];

/** The messages for a line while the agent `outer` runs Bash; the turn. */
async function meaningOf(line: Fields, started: Fields) {
  const call = toolBlock("bash", "Bash", { command: "sleep 40" });
  const session = await inTurn(started, speech("call-1", call));
  const [emitted] = await session.emittedBy(line);
  return { emitted, turnId: session.turnId };
}

test.each(NOTIFICATIONS)(
  "%s has the call of its agent, and the turn only when the agent is in the foreground",
  async (_name, line) => {
    const background = await meaningOf(line, outer());
    expect(scopeOf(background.emitted)).toEqual(["call-1", undefined]);
    const foreground = await meaningOf(line, outer(FOREGROUND));
    expect(scopeOf(foreground.emitted)).toEqual(["call-1", foreground.turnId]);
  },
);

test("permission_denied has no turn when the agent is background work without a call", async () => {
  const session = await inTurn(outer({ ...BACKGROUND, tool_use_id: undefined }));
  const [emitted] = await session.emittedBy(DENIED);
  expect(emitted).toMatchObject({ type: "permission_denied" });
  expect(emitted).not.toHaveProperty("turn_id");
});

test("progress of the agent's own call has no turn and no parent when it is background work", async () => {
  const { emitted } = await meaningOf({ ...OF_TASK, tool_use_id: "call-1" }, outer());
  expect(emitted).toMatchObject({ type: "tool_progress", tool_use_id: "call-1" });
  expect(scopeOf(emitted)).toEqual([undefined, undefined]);
});

test("the end of an agent that another agent waits for starts no turn", async () => {
  const ended = taskLine("task_notification", "inner", "call-2", {
    status: "completed",
    summary: "",
  });
  const session = await inTurn(outer(), inner, ended, initLine());
  expect(session.of("turn_started")).toHaveLength(1);
});
