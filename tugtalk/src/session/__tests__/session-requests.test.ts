/** Control requests in both directions: of the host to Claude, and of Claude to tugtalk (§2b, §19). */
import { expect, test } from "bun:test";
import { captured } from "../../../testing/captures/captured-line.ts";
import { initLine, promptLine, resultLine } from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { inTurn, working } from "../../../testing/drivers/working-session.ts";
import type { Fields } from "../../base/json.ts";
import { MAX_LINE_BYTES } from "../../base/lines.ts";

const planMode = (session: TestSession, id = "ask") => session.chooseMode("plan", id);

test("a control request of the host is settled by Claude's first answer, and the second answer of 2.1.38 is ignored", async () => {
  const session = await startSession();
  planMode(session);
  const { request_id } = session.requestOf("set_permission_mode");
  for (const name of ["mode answer 38", "mode answer 38 again"]) {
    const line = captured(name);
    await session.say({ ...line, response: { ...(line["response"] as Fields), request_id } });
  }
  const result = { subtype: "set_permission_mode", ok: true, response: { mode: "acceptEdits" } };
  expect(session.of("control_result", "permission_mode_changed")).toMatchObject([
    { type: "control_result", ...result, in_reply_to: "ask" },
    { type: "permission_mode_changed", mode: "plan", source: "host" },
  ]);
});

test("a control request of the host fails with Claude's error message and changes nothing when Claude rejects it", async () => {
  const session = await startSession();
  planMode(session);
  await session.answerTo("set_permission_mode", { subtype: "error", error: "invalid_mode" });
  expect(session.of("control_result", "permission_mode_changed")).toMatchObject([
    { type: "control_result", ok: false, error: "invalid_mode" },
  ]);
});

test("a control request of the host times out once when Claude does not answer", async () => {
  const session = await startSession();
  planMode(session);
  const emitted = await session.emittedBy(() => session.clock.advance(29_999));
  expect(emitted).toEqual([]);
  session.clock.advance(1);
  await session.answerTo("set_permission_mode");
  expect(session.of("control_result")).toMatchObject([{ ok: false, error: "control_timeout" }]);
});

test("a control request of the host fails when the process exits before its answer", async () => {
  const session = await startSession();
  planMode(session);
  await session.exit({ exitCode: 7 });
  expect(session.of("control_result")).toMatchObject([
    { ok: false, error: "claude ended (exit code 7)", in_reply_to: "ask" },
  ]);
});

test("a control request of the host succeeds without a process when it is a start flag of the next process", async () => {
  const session = await startSession();
  await session.exit();
  planMode(session);
  session.chooseModel("haiku");
  session.session.handleStopTask({ type: "stop_task", task_id: "t" });
  expect(session.of("control_result")).toMatchObject([
    { subtype: "set_permission_mode", ok: true },
    { subtype: "set_model", ok: true },
    { subtype: "stop_task", ok: false, error: "claude is not running" },
  ]);
  await session.restart();
  expect(session.flags).toContain("--permission-mode=plan");
  expect(session.flags).toContain("--model=haiku");
});

test("a control request of the host is refused when 256 requests are pending", async () => {
  const session = await startSession();
  for (let at = 0; at < 256; at += 1) planMode(session, `ask-${at}`);
  const written = await session.writtenBy(() => planMode(session, "one too many"));
  expect(written).toEqual([]);
  expect(session.last).toMatchObject({ code: "control_rejected", in_reply_to: "one too many" });
});

test("a control request of the host is sent while a prompt is open", async () => {
  const session = await inTurn(promptLine("r"));
  planMode(session);
  session.chooseModel("haiku");
  await session.answerTo("set_model");
  await session.answerTo("set_permission_mode");
  expect(session.of("control_result")).toMatchObject([
    { subtype: "set_model", ok: true },
    { subtype: "set_permission_mode", ok: true },
  ]);
  expect(session.state).toBe("requires_action");
});

test("a control request of the host is refused while Claude does not read its stdin, except for an interrupt", async () => {
  const session = await working();
  session.claude().leaveUnread(MAX_LINE_BYTES + 1);
  expect(await session.writtenBy(() => planMode(session, "too much"))).toEqual([]);
  expect(session.last).toMatchObject({ code: "control_rejected", in_reply_to: "too much" });
  const written = await session.writtenBy(() => session.interrupt());
  expect(written).toMatchObject([{ request: { subtype: "interrupt" } }]);
  session.claude().leaveUnread(0);
  expect(await session.writtenBy(() => planMode(session, "again"))).toHaveLength(1);
});

test("stop_task is sent with its task_id", async () => {
  const session = await startSession();
  const written = await session.writtenBy(() =>
    session.session.handleStopTask({ type: "stop_task", task_id: "b1" }),
  );
  expect(written).toMatchObject([{ request: { subtype: "stop_task", task_id: "b1" } }]);
});

const ROWS: readonly (readonly [name: string, line: Fields])[] = [
  ["the echo of an answer of tugtalk", captured("echo of an answer 330")],
  [
    "one with a foreign id",
    captured("mode answer 38", { response: { subtype: "success", request_id: "foreign" } }),
  ],
  ["one without an id", { type: "control_response", response: { subtype: "error", error: "x" } }],
];
test.each([...ROWS])(
  "a control_response without a pending request that is %s is ignored",
  async (_name, line) => {
    const session = await startSession();
    planMode(session);
    expect(await session.emittedBy(line)).toEqual([]);
    await session.answerTo("set_permission_mode");
    expect(session.of("control_result")).toHaveLength(1);
  },
);

type PromptContent = readonly [
  name: string,
  line: Fields,
  written: readonly Fields[],
  emitted: Fields,
];
const request = (body: Fields): Fields => ({
  type: "control_request",
  request_id: "r",
  request: body,
});
const refused = (error: string, id: unknown = "r") => ({
  type: "control_response",
  response: { subtype: "error", request_id: id, error, error_code: "unsupported_request" },
});
const hook = captured("hook callback 330");

/** Control requests of Claude that are no prompts. A shape that was never recorded is made up. */
const ASKED: readonly PromptContent[] = [
  [
    "a control request of an unknown subtype is refused and emitted in full",
    request({ subtype: "brand_new", x: 1 }),
    [refused("unsupported control request: brand_new")],
    { type: "unknown_event", original_type: "control_request", original_subtype: "brand_new" },
  ],
  [
    "a hook_callback is refused, since no host has declared one",
    hook,
    [refused("unsupported control request: hook_callback", hook["request_id"])],
    { type: "error", code: "control_rejected", source: "claude" },
  ],
  [
    "an mcp_message is refused",
    request({ subtype: "mcp_message", server_name: "s", message: {} }),
    [refused("unsupported control request: mcp_message")],
    { type: "error", code: "control_rejected" },
  ],
  [
    "an elicitation without fields is refused",
    request({ subtype: "elicitation" }),
    [refused("unsupported control request: elicitation")],
    { type: "error", code: "control_rejected" },
  ],
  [
    "a dialog without fields is not answered",
    request({ subtype: "request_user_dialog" }),
    [],
    { type: "error", code: "control_rejected" },
  ],
  [
    "a remote_tool_call is not answered",
    request({ subtype: "remote_tool_call" }),
    [],
    { type: "unknown_event", original_subtype: "remote_tool_call" },
  ],
  [
    "a malformed can_use_tool is refused and emitted in full",
    request({ subtype: "can_use_tool", input: {} }),
    [refused("malformed can_use_tool")],
    { type: "unknown_event", original_subtype: "can_use_tool" },
  ],
];

test.each([...ASKED])("%s", async (_name, line, written, message) => {
  const session = await startSession();
  let emitted: readonly Fields[] = [];
  const lines = await session.writtenBy(async () => {
    emitted = await session.emittedBy(line);
  });
  expect(lines).toEqual([...written]);
  expect(emitted).toMatchObject([message]);
  if (message["type"] === "unknown_event") expect(emitted[0]).toHaveProperty("raw", line);
});

test("a prompt without an open turn has no turn_id, and the end of a turn does not close it", async () => {
  const session = await startSession();
  await session.say(promptLine("r"));
  expect(session.of("turn_started")).toEqual([]);
  expect(session.of("control_request_forward")[0]).not.toHaveProperty("turn_id");
  session.message("hello");
  await session.say(initLine(), resultLine());
  expect(session.of("control_request_cancel")).toEqual([]);
  const answer = { type: "tool_approval", request_id: "r", decision: "allow" } as const;
  expect(await session.writtenBy(() => session.session.handleToolApproval(answer))).toHaveLength(1);
});

test("a mode and a model that Claude changes are emitted with source claude", async () => {
  const session = await startSession();
  const { say } = session.claude();
  await say(initLine());
  await say(captured("mode changed"));
  await say(initLine({ permissionMode: "acceptEdits", model: "claude-haiku" }));
  expect(session.of("permission_mode_changed", "model_changed")).toMatchObject([
    { type: "permission_mode_changed", mode: "acceptEdits", source: "claude" },
    { type: "model_changed", model: "claude-haiku", source: "claude" },
  ]);
});
