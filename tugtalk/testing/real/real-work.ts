/** The second list: MCP tools, plans, subagents, background tasks. */
import { expect, test } from "bun:test";
import { type ApiRequest, openingText } from "../../simulator/api-request.ts";
import type { ScriptEntry } from "../../simulator/reply-script.ts";
import type { Received } from "../drivers/bridge-process.ts";
import type { Expected } from "./real-expected.ts";
import { commandThrough, startGate } from "./real-gate.ts";
import { callTool, isTurnEnd, newestMessages, ofType, type RealSession } from "./real-session.ts";

type At = () => RealSession;

/** A tool of an MCP server of the host. */
export function listMcp(at: At): void {
  test("a tool of an MCP server over stdio has a prompt, runs and answers", async () => {
    const { place, say, prompt, send, turn } = at();
    const tool_name = "mcp__tide__level";
    say("how is the tide?", callTool(tool_name, { place: "the weir" }), "High.");
    const { request_id, ...asked } = await prompt();
    expect(asked).toMatchObject({ tool_name, input: { place: "the weir" } });
    send({ type: "tool_approval", request_id, decision: "allow" });

    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success", text: "High." });
    const output = "high at the weir";
    expect(ofType(messages, "tool_result")).toMatchObject([{ tool_name, output, is_error: false }]);
    expect(ofType(messages, "tool_use_structured")).toMatchObject([
      { tool_name, structured_result: [{ type: "text", text: output }] },
    ]);
    expect(newestMessages(place.api)).toContain(output);
    const [init] = ofType(messages, "system_metadata");
    expect(init?.["mcp_servers"]).toMatchObject([{ name: "tide", status: "connected" }]);
  });
}

/** A plan that the host accepts. */
export function listPlan(at: At): void {
  test("an accepted plan ends the plan mode", async () => {
    const { say, next, prompt, send, turn } = at();
    send({ type: "permission_mode", mode: "plan" });
    const changed = await next("permission_mode_changed");
    expect(changed).toMatchObject({ mode: "plan", source: "host" });

    const tool_name = "ExitPlanMode";
    say("make a plan", callTool(tool_name, { plan: "1. Look at the weir." }), "Begun.");
    const { request_id, ...asked } = await prompt();
    expect(asked).toMatchObject({ tool_name, is_question: false, plan: "1. Look at the weir." });
    send({ type: "tool_approval", request_id, decision: "allow" });

    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success", text: "Begun." });
    expect(ofType(messages, "system_metadata")).toMatchObject([{ permissionMode: "plan" }]);
    expect(ofType(messages, "permission_mode_changed")).toMatchObject([
      { mode: "default", source: "claude" },
    ]);
    expect(ofType(messages, "tool_result")).toMatchObject([{ tool_name, is_error: false }]);
  });
}

/** A plan that is in Claude's plan file only, which it names to the model. */
export function listPlanFile(at: At): void {
  test("the prompt about a plan that is in the plan file only has the plan", async () => {
    const { say, next, prompt, send, turn } = at();
    send({ type: "permission_mode", mode: "plan" });
    await next("permission_mode_changed");
    const content = "1. Count the herons.\n";
    const withFile =
      (name: string, input = {}) =>
      ({ body }: Pick<ApiRequest, "body">) => {
        const [file_path] = /\/[^\s"\\]*\/plans\/[\w-]+\.md/.exec(JSON.stringify(body)) ?? [];
        return callTool(name, { file_path, ...input });
      };
    // The file of an earlier plan must be read before it is overwritten.
    const steps = [withFile("Read"), withFile("Write", { content }), callTool("ExitPlanMode", {})];
    say("make a plan", ...steps, "Begun.");
    const { request_id, ...asked } = await prompt();
    expect(asked).toMatchObject({ tool_name: "ExitPlanMode", plan: content });
    send({ type: "tool_approval", request_id, decision: "allow" });
    expect((await turn()).end).toMatchObject({ result: "success", text: "Begun." });
  });
}

/** The prompt of the subagent. */
export const TASK = "Count the birds at the weir.";

function isOfSubagent({ body }: Pick<ApiRequest, "body">): boolean {
  return openingText(body).includes(TASK);
}

/** The replies of the model: for the subagent, and for the conversation that started it. */
export function replies(subagent: readonly ScriptEntry[], main: readonly string[]): ScriptEntry[] {
  const chosen = subagent.map((entry) =>
    typeof entry === "object" && "reply" in entry ? entry : { reply: entry },
  );
  return [
    ...chosen.map(({ reply }) => ({ reply, when: isOfSubagent })),
    ...main.map((reply) => ({
      reply,
      when: (request: Pick<ApiRequest, "body">) => !isOfSubagent(request),
    })),
  ];
}

/** The subagent's first reply, which runs a command. */
export const COUNT: ScriptEntry = {
  content: [
    { type: "text", text: "I count." },
    { type: "tool_use", name: "Bash", input: { command: "echo 3" } },
  ],
};

const SUBAGENT = { description: "count", prompt: TASK, subagent_type: "general-purpose" };

/** Subagents: one in the foreground, and one where the version starts it by default. */
export function listSubagents(at: At, expected: Expected): void {
  listForegroundSubagent(at, expected);
  if (expected.isSubagentInBackground) listBackgroundSubagent(at, expected);
  else listDefaultSubagent(at, expected);
}

function listForegroundSubagent(at: At, expected: Expected): void {
  test("a foreground subagent works within the turn under its parent_tool_use_id", async () => {
    const { say, turn } = at();
    // 2.1.38 rejects this input, which its tool does not declare.
    const isAsked = expected.subagentNotifications.length > 0;
    const call = callTool(expected.subagentTool, {
      ...SUBAGENT,
      ...(isAsked && { run_in_background: false }),
    });
    say("count them", call, ...replies([COUNT, "Three."], ["There are three."]));
    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success", text: "There are three.", trigger: "user" });
    expectForeground(messages, expected);
  });
}

function listDefaultSubagent(at: At, expected: Expected): void {
  test("a subagent runs in the foreground unless the call says otherwise", async () => {
    const { say, turn } = at();
    say(
      "count",
      callTool(expected.subagentTool, SUBAGENT),
      ...replies([COUNT, "Three."], ["Three again."]),
    );
    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success", text: "Three again.", trigger: "user" });
    expectForeground(messages, expected);
  });
}

function listBackgroundSubagent(at: At, expected: Expected): void {
  test("a subagent runs in the background by default, without a turn, and its end starts one", async () => {
    const { bridge, say, next, turn } = at();
    const { promise, resolve } = Promise.withResolvers<void>();
    const last: ScriptEntry = {
      reply: { content: [{ type: "text", text: "Three." }], holds: [{ until: promise }] },
    };
    const main = ["It is being counted.", "There are three after all."];
    say("count", callTool(expected.subagentTool, SUBAGENT), ...replies([COUNT, last], main));
    const first = await turn();
    expect(first.end).toMatchObject({ result: "success", text: main[0], trigger: "user" });
    resolve();

    const started = await next("turn_started");
    expect(started).toMatchObject({ trigger: "task", message_ids: [] });
    const end = await next(isTurnEnd);
    const { turn_id } = started;
    expect(end).toMatchObject({ turn_id, text: main[1], trigger: "task", message_ids: [] });
    expect(end["origin"]).toMatchObject(expected.wakeOrigin ?? {});

    const messages = bridge.received.slice(bridge.received.indexOf(first.messages[0] ?? end));
    expectBackground(messages, expected);
    expectTaskList(messages, expected);
  });
}

function expectBackground(messages: readonly Received[], expected: Expected): void {
  const parentToolUseId = callOf(messages, expected.subagentTool);
  const ofSubagent = messages.filter(
    ({ parent_tool_use_id }) => parent_tool_use_id === parentToolUseId,
  );
  expect(ofSubagent.map(({ type }) => type)).toEqual([
    "assistant_text",
    "tool_use",
    "tool_result",
    "assistant_text",
  ]);
  expect(ofSubagent.filter(({ turn_id }) => turn_id !== undefined)).toEqual([]);
  const texts = ofType(ofSubagent, "assistant_text").map(({ text }) => text);
  expect(texts).toEqual(["I count.", "Three."]);
}

function expectForeground(messages: readonly Received[], expected: Expected): void {
  const parentToolUseId = callOf(messages, expected.subagentTool);
  const ofSubagent = messages.filter(
    ({ parent_tool_use_id }) => parent_tool_use_id === parentToolUseId,
  );
  expect(ofSubagent).toMatchObject([
    { type: "user_text", kind: "subagent_prompt", text: TASK },
    { type: "tool_use", tool_name: "Bash", status: "complete" },
    { type: "tool_result", tool_name: "Bash", output: "3" },
  ]);
  const turns = new Set(ofSubagent.map(({ turn_id }) => turn_id));
  expect([...turns]).toEqual([messages.find(isTurnEnd)?.["turn_id"]]);
  expect(notification(messages)).toEqual([...expected.subagentNotifications]);
  const result = ofType(messages, "tool_result").find(
    ({ tool_use_id }) => tool_use_id === parentToolUseId,
  );
  expect(result?.["output"]).toContain("Three.");
}

/** The `tool_use_id` of the one call of this tool. */
function callOf(messages: readonly Received[], toolName: string): unknown {
  const calls = ofType(messages, "tool_use").filter(
    ({ tool_name, status }) => tool_name === toolName && status === "complete",
  );
  expect(calls).toHaveLength(1);
  return calls[0]?.["tool_use_id"];
}

/** The notifications of tasks, in order. */
function notification(messages: readonly Received[]): string[] {
  return messages.map(({ type }) => type).filter((type) => type.startsWith("task_"));
}

function expectTaskList(messages: readonly Received[], expected: Expected): void {
  const lists = ofType(messages, "background_tasks").map(({ tasks }) => tasks);
  expect(lists.map((tasks) => (Array.isArray(tasks) ? tasks.length : tasks))).toEqual(
    expected.emitsBackgroundTasks ? [1, 0] : [],
  );
}

/** A command that outlives the turn that started it. */
export function listBackground(at: At, expected: Expected): void {
  const { wakeOrigin } = expected;
  const name =
    wakeOrigin === undefined
      ? "no turn starts at the end of a background command"
      : "a background command outlives its turn, and its end starts another one";
  test(name, async () => {
    using gate = startGate();
    const { bridge, say, turn } = at();
    const call = callTool("Bash", { command: commandThrough(gate), run_in_background: true });
    say("run it", call, "It runs.", ...(wakeOrigin === undefined ? [] : ["It has ended."]));
    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success", text: "It runs.", trigger: "user" });
    await gate.reached;
    gate.open();
    const since = () => bridge.received.slice(bridge.received.indexOf(messages[0] ?? end));
    if (wakeOrigin !== undefined) await expectWake(at(), wakeOrigin);
    else await expectNoWake(at());
    expect(notification(since())).toEqual([...expected.backgroundNotifications]);
    expect(
      since()
        .filter(isTaskUpdate)
        .flatMap(({ turn_id }) => turn_id ?? []),
    ).toEqual([]);
    expectTaskList(since(), expected);
  });
}

/** A notification of a task after its start, when it is known to run in the background. */
function isTaskUpdate({ type }: Received): boolean {
  return type.startsWith("task_") && type !== "task_started";
}

async function expectWake({ next }: RealSession, origin: object): Promise<void> {
  const { turn_id, ...started } = await next("turn_started");
  expect(started).toMatchObject({ trigger: "task", message_ids: [] });
  const text = "It has ended.";
  const end = await next(isTurnEnd);
  expect(end).toMatchObject({ turn_id, result: "success", trigger: "task", text, origin });
}

async function expectNoWake({ bridge, say, turn }: RealSession): Promise<void> {
  say("has it ended?", "Who knows.");
  expect((await turn()).end).toMatchObject({ result: "success", text: "Who knows." });
  const triggers = ofType(bridge.received, "turn_started").map(({ trigger }) => trigger);
  expect(new Set(triggers)).toEqual(new Set(["user"]));
}
