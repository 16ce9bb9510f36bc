/**
 * Hooks of the host: their declaration to Claude, the hooks that an event asks, and the end of each request.
 */
import { expect, test } from "bun:test";
import { initLine, interruptedLine, resultLine } from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { SECOND } from "../../../testing/drivers/working-session.ts";
import type { Fields } from "../../base/json.ts";
import type { HostHook } from "../../messages/hook-messages.ts";

const TOOL_USE = "toolu_1";

const GUARD: HostHook = { hook_id: "guard", event: "PreToolUse", matcher: "Bash" };

function eventLine(event: string, input: Fields = {}, request_id = "h"): Fields {
  const request = {
    subtype: "hook_callback",
    callback_id: event,
    input: { hook_event_name: event, ...input },
    tool_use_id: "toolu_random",
  };
  return { type: "control_request", request_id, request };
}

const TOOL = { tool_name: "Bash", tool_input: { command: "x" }, tool_use_id: TOOL_USE };

/** The assistant line of the call, which comes before its hook. */
const USE: Fields = {
  type: "assistant",
  session_id: "s",
  parent_tool_use_id: null,
  message: {
    id: "msg_1",
    role: "assistant",
    model: "claude",
    content: [{ type: "tool_use", id: TOOL_USE, name: "Bash", input: { command: "x" } }],
  },
};

function start(...hooks: readonly HostHook[]): Promise<TestSession> {
  return startSession({ init: { options: { host_hooks: [...hooks] } } });
}

/** A session in a turn, at the hooks of a tool. */
async function atTool(...hooks: readonly HostHook[]): Promise<TestSession> {
  const session = await start(...(hooks.length === 0 ? [GUARD] : hooks));
  session.message("tidy up");
  await session.say(USE, eventLine("PreToolUse", TOOL));
  return session;
}

/** A session at the hook of a turn that Claude begins by itself. */
async function atWakeUp(): Promise<TestSession> {
  const session = await start({ hook_id: "guard", event: "UserPromptSubmit", timeout_ms: 900_000 });
  await session.say(eventLine("UserPromptSubmit", { prompt: "<task-notification>" }));
  return session;
}

/** A session between turns, at the hook of a steered message: Claude has printed nothing else about it. */
async function atSteered(): Promise<TestSession> {
  const session = await start({
    hook_id: "guard",
    event: "UserPromptSubmit",
    timeout_ms: 900_000,
  });
  session.message("first");
  await session.say(initLine());
  session.message("second", { message_id: SECOND, delivery: "steer" });
  await session.say(resultLine(), eventLine("UserPromptSubmit", { prompt: "second" }));
  return session;
}

function idOf(session: TestSession, hook = "guard"): string {
  const request = session.of("hook_request").find(({ hook_id }) => hook_id === hook);
  return String(request?.["request_id"]);
}

function answer(session: TestSession, fields: Fields = {}, hook?: string): void {
  const request_id = idOf(session, hook);
  session.session.handleProgramAnswer({ type: "hook_answer", request_id, ...fields });
}

const closings = (session: TestSession) =>
  session
    .of("control_request_resolved", "control_request_cancel")
    .map(({ outcome, reason }) => outcome ?? reason);

/** The outputs that Claude has got for its events. */
function outputs(session: TestSession): unknown[] {
  return session
    .claude()
    .writes.filter(({ type }) => type === "control_response")
    .map(({ response }) => (response as Fields)["response"]);
}

const refusal = (permissionDecisionReason: string) => ({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason,
  },
});

test("Claude gets one callback for each event, which never runs out", async () => {
  const session = await start(GUARD, { hook_id: "all", event: "PreToolUse" });
  const PreToolUse = [{ hookCallbackIds: ["PreToolUse"], timeout: 2_147_483 }];
  expect(session.requestOf("initialize")["request"]).toMatchObject({ hooks: { PreToolUse } });
});

test("a hook is asked in its turn with all that Claude says, and its answer goes to Claude", async () => {
  const session = await atTool();
  expect(session.of("hook_request")).toMatchObject([
    { hook_id: "guard", event: "PreToolUse", tool_use_id: TOOL_USE, turn_id: session.turnId },
  ]);
  expect(session.of("hook_request")[0]?.["input"]).toMatchObject(TOOL);
  answer(session, { decision: "deny", reason: "no", id: "a" });
  expect(outputs(session)).toEqual([refusal("no")]);
  expect(session.last).toMatchObject({ type: "control_request_resolved", in_reply_to: "a" });
});

test("an event that concerns no hook goes on at once", async () => {
  const session = await start(GUARD);
  await session.say(eventLine("PreToolUse", { ...TOOL, tool_name: "Read" }));
  expect(outputs(session)).toEqual([{}]);
  expect(session.of("hook_request")).toEqual([]);
});

test("the hooks of one event close together, when all are answered", async () => {
  const session = await atTool(GUARD, { hook_id: "other", event: "PreToolUse" });
  answer(session, { decision: "allow" });
  expect([outputs(session), closings(session)]).toEqual([[], []]);
  answer(session);
  expect(session.last).toMatchObject({ type: "error", code: "stale_request" });
  answer(session, { decision: "deny", reason: "no" }, "other");
  expect(closings(session)).toEqual(["answered", "answered"]);
  expect(outputs(session)).toEqual([refusal("no")]);
});

test("an answer that the event does not take leaves the hook open", async () => {
  const session = await atTool();
  answer(session, { updatedOutput: "x" });
  expect(session.last).toMatchObject({ type: "error", code: "bad_message" });
  expect([outputs(session), closings(session)]).toEqual([[], []]);
  answer(session);
  expect(outputs(session)).toEqual([{}]);
});

test("a result of a tool is no answer to a hook", async () => {
  const session = await atTool();
  const request_id = idOf(session);
  session.session.handleProgramAnswer({ type: "host_tool_answer", request_id, text: "x" });
  expect(session.last).toMatchObject({ type: "error", code: "bad_message" });
  answer(session);
});

test.each([
  ["refuses a tool", {}, refusal("The hook guard did not answer within 60000 ms.")],
  ["goes on if it is to", { on_timeout: "continue" } as const, {}],
])("a hook that is not answered in time %s", async (_what, fields, output) => {
  const session = await atTool({ ...GUARD, ...fields });
  session.clock.advance(60_000);
  expect(outputs(session)).toEqual([output]);
  expect(closings(session)).toEqual(["timeout"]);
});

test("a hook that Claude withdraws is closed and not answered, nor is one that waits with it", async () => {
  const session = await atTool(GUARD, { hook_id: "other", event: "PreToolUse" });
  answer(session, { id: "early" });
  await session.say({ type: "control_cancel_request", request_id: "h" });
  expect(closings(session)).toEqual(["withdrawn", "withdrawn"]);
  expect(outputs(session)).toEqual([]);
  expect(session.of("error")).toMatchObject([{ code: "stale_request", in_reply_to: "early" }]);
});

test("a prompt that is being submitted is let through before an interrupt is written", async () => {
  const session = await start({ hook_id: "guard", event: "UserPromptSubmit" });
  session.message("hello");
  await session.say(eventLine("UserPromptSubmit", { prompt: "hello" }));
  const written = await session.writtenBy(() => session.interrupt());
  expect(written.map(({ type }) => type)).toEqual(["control_response", "control_request"]);
  expect(outputs(session)).toEqual([{}]);
  expect(closings(session)).toEqual(["interrupted"]);
});

test("an interrupt that Claude has lost at the hook of a message is sent again in its turn, once", async () => {
  const session = await start({ hook_id: "guard", event: "UserPromptSubmit" });
  session.message("hello");
  await session.say(eventLine("UserPromptSubmit", { prompt: "hello" }));
  session.interrupt();
  await session.answerTo("interrupt");
  await session.say(initLine());
  expect(session.requestsOf("interrupt")).toHaveLength(1);
  session.clock.advance(500);
  expect(session.requestsOf("interrupt")).toHaveLength(2);
  await session.answerTo("interrupt");
  session.clock.advance(1_000);
  await session.say(resultLine());
  expect(session.requestsOf("interrupt")).toHaveLength(2);
});

test("the hook of a message that Claude drops is closed, and Claude gets an answer", async () => {
  const session = await start({ hook_id: "guard", event: "UserPromptSubmit" });
  session.message("hello", { message_id: SECOND });
  await session.say(eventLine("UserPromptSubmit", { prompt: "hello" }), {
    type: "command_lifecycle",
    command_uuid: SECOND,
    state: "discarded",
  });
  expect(closings(session)).toEqual(["withdrawn"]);
  expect(outputs(session)).toMatchObject([{ decision: "block" }]);
});

test("an interrupt at the hook of a message that ends its turn is not sent into the next one", async () => {
  const session = await start({ hook_id: "guard", event: "UserPromptSubmit" });
  session.message("hello");
  await session.say(eventLine("UserPromptSubmit", { prompt: "hello" }));
  session.message("second", { delivery: "steer" });
  session.interrupt();
  await session.answerTo("interrupt");
  await session.say(initLine(), interruptedLine());
  await session.say(eventLine("UserPromptSubmit", { prompt: "second" }, "i"));
  session.clock.advance(1_000);
  expect(session.requestsOf("interrupt")).toHaveLength(1);
});

test("a tool that is open at the end of the session is refused before Claude's stdin is closed", async () => {
  const session = await atTool();
  void session.session.shutdown(false);
  await session.settle();
  expect(outputs(session)).toMatchObject([{ hookSpecificOutput: { permissionDecision: "deny" } }]);
  expect(closings(session)).toEqual(["interrupted"]);
  await session.exit();
});

test.each([
  ["is open at the end", true],
  ["comes after the end", false],
])("a hook that %s of the host ends the drain", async (_name, isOpen) => {
  const session = await (isOpen ? atTool() : start(GUARD));
  if (!isOpen) session.message("tidy up");
  void session.session.shutdown(true);
  if (!isOpen) await session.say(USE, eventLine("PreToolUse", TOOL));
  await session.settle();
  expect(closings(session)).toEqual(["interrupted"]);
  await session.exit();
});

test("a hook is closed before the exit of its process, and its late answer is stale", async () => {
  const session = await atTool();
  await session.crash();
  expect(closings(session)).toEqual(["exited"]);
  answer(session);
  expect(session.last).toMatchObject({ code: "stale_request" });
});

test("a hook of an agent that is not known belongs to no turn and outlives it", async () => {
  const session = await start(GUARD);
  session.message("send an agent");
  await session.say(eventLine("PreToolUse", { ...TOOL, agent_id: "nested" }), resultLine());
  expect(session.of("hook_request")[0]).not.toHaveProperty("turn_id");
  expect(closings(session)).toEqual([]);
  answer(session);
  expect(closings(session)).toEqual(["answered"]);
});

test("the time in which a hook is open is no stall", async () => {
  const session = await start({ hook_id: "guard", event: "UserPromptSubmit", timeout_ms: 900_000 });
  session.message("hello");
  await session.say(eventLine("UserPromptSubmit", { prompt: "hello" }));
  session.clock.advance(400_000);
  expect(session.states).not.toContain("stalled");
  answer(session);
});

test("a turn that Claude begins by itself is open at its hook, and a message waits for its end", async () => {
  const session = await atWakeUp();
  const [turn] = session.of("turn_started");
  expect(turn).toMatchObject({ message_ids: [] });
  expect(session.of("hook_request")).toMatchObject([{ turn_id: turn?.turn_id }]);
  session.message("later", { message_id: SECOND });
  session.clock.advance(400_000);
  expect(session.states).not.toContain("stalled");
  answer(session);
  expect(session.receipts(SECOND)).toEqual(["queued"]);
  await session.say(initLine(), resultLine());
  expect(session.receipts(SECOND)).toEqual(["queued", "started"]);
  expect(session.of("turn_started")).toHaveLength(2);
});

test("delivery now does not wait for the hook of a turn that Claude begins by itself", async () => {
  const session = await atWakeUp();
  session.message("now", { message_id: SECOND, delivery: "now" });
  expect(closings(session)).toEqual(["interrupted"]);
  expect(session.requestsOf("interrupt")).toHaveLength(1);
  await session.say(initLine(), interruptedLine());
  expect(session.receipts(SECOND)).toEqual(["queued", "started"]);
});

test("a steered message at whose hook the session ends is refused", async () => {
  const session = await atSteered();
  void session.session.shutdown(false);
  await session.settle();
  expect(outputs(session)).toMatchObject([{ decision: "block" }]);
  expect(closings(session)).toEqual(["interrupted"]);
  await session.exit();
});

test("a steered message has not failed while its hook is open", async () => {
  const session = await atSteered();
  session.clock.advance(400_000);
  expect(session.receipts(SECOND)).toEqual(["queued"]);
  answer(session);
  await session.say(initLine(), resultLine());
  expect(session.receipts(SECOND)).toEqual(["queued", "started", "completed"]);
});

test("delivery now does not wait for the hook of a steered message", async () => {
  const session = await atSteered();
  const written = await session.writtenBy(() => session.message("now", { delivery: "now" }));
  const types = written.map(
    ({ type, request }) => (request as Fields | undefined)?.["subtype"] ?? type,
  );
  expect(types.filter((type) => type !== "cancel_async_message")).toEqual([
    "control_response",
    "interrupt",
  ]);
  expect(closings(session)).toEqual(["interrupted"]);
});

test("one tool too many at its hook is refused, and the host is not asked", async () => {
  const session = await start(GUARD);
  for (let at = 0; at < 1025; at += 1) await session.say(eventLine("PreToolUse", TOOL, `h${at}`));
  expect(session.of("hook_request")).toHaveLength(1024);
  expect(outputs(session)).toMatchObject([{ hookSpecificOutput: { permissionDecision: "deny" } }]);
});
