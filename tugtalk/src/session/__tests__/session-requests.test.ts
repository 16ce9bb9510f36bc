/** Requests on either side: the host's, which Claude answers once, and Claude's, which we must (§2b, §19). */
import { describe, expect, test } from "bun:test";
import { captured } from "../../../testing/captures/captured-line.ts";
import { initLine, promptLine, resultLine } from "../../../testing/drivers/claude-lines.ts";
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
import { working } from "../../../testing/drivers/working-session.ts";
import { MAX_LINE_BYTES } from "../../base/lines.ts";

type Line = Readonly<Record<string, unknown>>;

const planMode = (session: TestSession, id = "ask") =>
  session.session.handlePermissionMode({ type: "permission_mode", mode: "plan", id });

describe("a request of the host's", () => {
  test("is answered by Claude's first answer; the second of 38 means nothing", async () => {
    const session = await startSession();
    planMode(session);
    const { request_id } = requestOf(session, "set_permission_mode");
    for (const name of ["mode answer 38", "mode answer 38 again"]) {
      const line = captured(name);
      await session
        .claude()
        .say({ ...line, response: { ...(line["response"] as Line), request_id } });
    }
    expect(emittedOf(session, "control_result", "permission_mode_changed")).toMatchObject([
      {
        type: "control_result",
        subtype: "set_permission_mode",
        ok: true,
        response: { mode: "acceptEdits" },
        in_reply_to: "ask",
      },
      { type: "permission_mode_changed", mode: "plan", source: "host" },
    ]);
    expectGuarantees(session);
  });

  test("that Claude refuses is told with Claude's words, and changes nothing", async () => {
    const session = await startSession();
    planMode(session);
    await answerTo(session, "set_permission_mode", { subtype: "error", error: "invalid_mode" });
    expect(emittedOf(session, "control_result", "permission_mode_changed")).toMatchObject([
      { type: "control_result", ok: false, error: "invalid_mode" },
    ]);
  });

  test("that Claude does not answer times out, once", async () => {
    const session = await startSession();
    planMode(session);
    const emitted = await emittedBy(session, () => session.clock.advance(29_999));
    expect(emitted).toEqual([]);
    session.clock.advance(1);
    await answerTo(session, "set_permission_mode");
    expect(emittedOf(session, "control_result")).toMatchObject([
      { ok: false, error: "control_timeout" },
    ]);
  });

  test("fails with the process that it was asked of", async () => {
    const session = await startSession();
    planMode(session);
    await session.claude().exit({ exitCode: 7 });
    expect(emittedOf(session, "control_result")).toMatchObject([
      { ok: false, error: "claude ended (exit code 7)", in_reply_to: "ask" },
    ]);
    expectGuarantees(session, true);
  });

  test("is granted without a process where the next one will start with it", async () => {
    const session = await startSession();
    await session.claude().exit();
    planMode(session);
    session.session.handleModelChange({ type: "model_change", model: "haiku" });
    session.session.handleStopTask({ type: "stop_task", task_id: "t" });
    expect(emittedOf(session, "control_result")).toMatchObject([
      { subtype: "set_permission_mode", ok: true },
      { subtype: "set_model", ok: true },
      { subtype: "stop_task", ok: false },
    ]);
    sayAsHost(session, "again");
    await session.settle();
    expect(session.starts[1]).toEqual(
      expect.arrayContaining(["--permission-mode=plan", "--model=haiku"]),
    );
  });

  test("is one of at most 256 that wait", async () => {
    const session = await startSession();
    for (let at = 0; at < 256; at += 1) planMode(session, `ask-${at}`);
    const written = await writtenBy(session, () => planMode(session, "one too many"));
    expect(written).toEqual([]);
    expect(session.emitted.at(-1)).toMatchObject({
      code: "control_rejected",
      in_reply_to: "one too many",
    });
  });

  test("goes its way while a person is asked", async () => {
    const session = await startSession();
    sayAsHost(session, "go");
    for (const line of [initLine(), promptLine("r")]) await session.claude().say(line);
    planMode(session);
    session.session.handleModelChange({ type: "model_change", model: "haiku" });
    await answerTo(session, "set_model");
    await answerTo(session, "set_permission_mode");
    expect(emittedOf(session, "control_result")).toMatchObject([
      { subtype: "set_model", ok: true },
      { subtype: "set_permission_mode", ok: true },
    ]);
    expect(emittedOf(session, "session_state").at(-1)).toMatchObject({ state: "requires_action" });
    expectGuarantees(session);
  });

  test("waits outside while Claude reads nothing, an interrupt excepted", async () => {
    const session = await working();
    session.claude().leaveUnread(MAX_LINE_BYTES + 1);
    expect(await writtenBy(session, () => planMode(session, "too much"))).toEqual([]);
    expect(session.emitted.at(-1)).toMatchObject({
      code: "control_rejected",
      in_reply_to: "too much",
    });
    const interrupt = () => session.session.handleInterrupt({ type: "interrupt" });
    expect(await writtenBy(session, interrupt)).toMatchObject([
      { request: { subtype: "interrupt" } },
    ]);
    session.claude().leaveUnread(0);
    expect(await writtenBy(session, () => planMode(session, "again"))).toHaveLength(1);
  });

  test("to stop a task names it", async () => {
    const session = await startSession();
    const written = await writtenBy(session, () =>
      session.session.handleStopTask({ type: "stop_task", task_id: "b1" }),
    );
    expect(written).toMatchObject([{ request: { subtype: "stop_task", task_id: "b1" } }]);
  });
});

describe("a control_response that answers nothing of ours", () => {
  const ROWS: readonly (readonly [name: string, line: Line])[] = [
    ["the echo of our own answer", captured("echo of an answer 330")],
    [
      "one with a foreign id",
      captured("mode answer 38", { response: { subtype: "success", request_id: "foreign" } }),
    ],
    ["one without an id", { type: "control_response", response: { subtype: "error", error: "x" } }],
  ];
  test.each([...ROWS])("%s means nothing", async (_name, line) => {
    const session = await startSession();
    planMode(session);
    expect(await emittedBy(session, () => session.claude().say(line))).toEqual([]);
    await answerTo(session, "set_permission_mode");
    expect(emittedOf(session, "control_result")).toHaveLength(1);
  });
});

type PromptContent = readonly [name: string, line: Line, written: readonly Line[], emitted: Line];
const request = (body: Line): Line => ({ type: "control_request", request_id: "r", request: body });
const refused = (error: string, id: unknown = "r") => ({
  type: "control_response",
  response: { subtype: "error", request_id: id, error, error_code: "unsupported_request" },
});
const hook = captured("hook callback 330");

/** What Claude asks that is no prompt. Where the shape was never recorded it is made up. */
const ASKED: readonly PromptContent[] = [
  [
    "an unknown subtype is refused, and told whole",
    request({ subtype: "brand_new", x: 1 }),
    [refused("unsupported control request: brand_new")],
    { type: "unknown_event", original_type: "control_request", original_subtype: "brand_new" },
  ],
  [
    "a hook callback is refused: no host has declared one",
    hook,
    [refused("unsupported control request: hook_callback", hook["request_id"])],
    { type: "error", code: "control_rejected", source: "claude" },
  ],
  [
    "an mcp message is refused",
    request({ subtype: "mcp_message", server_name: "s", message: {} }),
    [refused("unsupported control request: mcp_message")],
    { type: "error", code: "control_rejected" },
  ],
  [
    "an elicitation is refused",
    request({ subtype: "elicitation" }),
    [refused("unsupported control request: elicitation")],
    { type: "error", code: "control_rejected" },
  ],
  [
    "a dialog is left to others",
    request({ subtype: "request_user_dialog" }),
    [],
    { type: "error", code: "control_rejected" },
  ],
  [
    "a remote tool call is left to others",
    request({ subtype: "remote_tool_call" }),
    [],
    { type: "unknown_event", original_subtype: "remote_tool_call" },
  ],
  [
    "a malformed prompt is refused, and told whole",
    request({ subtype: "can_use_tool", input: {} }),
    [refused("malformed can_use_tool")],
    { type: "unknown_event", original_subtype: "can_use_tool" },
  ],
];

test.each([...ASKED])("%s", async (_name, line, written, message) => {
  const session = await startSession();
  let emitted: readonly Line[] = [];
  const lines = await writtenBy(session, async () => {
    emitted = await emittedBy(session, () => session.claude().say(line));
  });
  expect(lines).toEqual([...written]);
  expect(emitted).toMatchObject([message]);
  if (message["type"] === "unknown_event") expect(emitted[0]).toHaveProperty("raw", line);
  expectGuarantees(session);
});

test("a prompt while no turn is open is told without one, and no turn's end closes it", async () => {
  const session = await startSession();
  await session.claude().say(promptLine("r"));
  expect(emittedOf(session, "turn_started")).toEqual([]);
  expect(emittedOf(session, "control_request_forward")[0]).not.toHaveProperty("turn_id");
  sayAsHost(session, "hello");
  await session.claude().say(initLine());
  await session.claude().say(resultLine());
  expect(emittedOf(session, "control_request_cancel")).toEqual([]);
  const answer = { type: "tool_approval", request_id: "r", decision: "allow" } as const;
  expect(await writtenBy(session, () => session.session.handleToolApproval(answer))).toHaveLength(
    1,
  );
  expectGuarantees(session);
});

test("the mode and the model that Claude changes are told as Claude's", async () => {
  const session = await startSession();
  const { say } = session.claude();
  await say(initLine());
  await say(captured("mode changed"));
  await say(initLine({ permissionMode: "acceptEdits", model: "claude-haiku" }));
  expect(emittedOf(session, "permission_mode_changed", "model_changed")).toMatchObject([
    { type: "permission_mode_changed", mode: "acceptEdits", source: "claude" },
    { type: "model_changed", model: "claude-haiku", source: "claude" },
  ]);
});
