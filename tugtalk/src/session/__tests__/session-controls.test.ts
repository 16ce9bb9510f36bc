/** The host's control requests by the allow-list, and Claude's elicitations and dialogs (§19, §21). */

import { describe, expect, test } from "bun:test";
import { initLine, promptLine } from "../../../testing/drivers/claude-lines.ts";
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
import type { Fields } from "../../base/json.ts";
import { ControlMessage } from "../../messages/control-messages.ts";
import { CONTROL_SUBTYPES, OWN_REQUESTS } from "../../messages/control-subtypes.ts";
import { unsupportedIn } from "../../messages/control-support.ts";
import { INBOUND_TYPES } from "../../messages/inbound-types.ts";
import { InboundMessage, isInboundMessage } from "../../types.ts";

const control = (session: TestSession, subtype: string, fields: Fields = {}) =>
  session.session.handleControl(
    ControlMessage.parse({ type: "control", id: "c", subtype, ...fields }),
  );

describe("control", () => {
  const ROWS: readonly (readonly [boolean, Fields])[] = [
    [true, { subtype: "mcp_status" }],
    [true, { subtype: "mcp_toggle", serverName: "s", enabled: false }],
    [true, { subtype: "mcp_authenticate", serverName: "s", redirectUriOnly: true }],
    [false, { subtype: "mcp_toggle", serverName: "s" }],
    [false, { subtype: "mcp_toggle", serverName: 5, enabled: true }],
    [true, { subtype: "set_max_thinking_tokens", max_thinking_tokens: null }],
    [false, { subtype: "set_max_thinking_tokens", max_thinking_tokens: "many" }],
    [false, { subtype: "initialize" }],
    [false, { subtype: "interrupt" }],
    [false, { subtype: "end_session" }],
    [false, { subtype: "constructor" }],
    [false, { subtype: "no_such_thing" }],
    [false, {}],
  ];
  test.each(ROWS)("control is valid (%p) with %j", (isTaken, fields) => {
    expect(isInboundMessage({ type: "control", ...fields })).toBe(isTaken);
  });

  const NAMED: readonly (readonly [string, string])[] = [
    ["set_model", "set_model has a message of its own: model_change"],
    ["cancel_async_message", "cancel_async_message has a message of its own: cancel_message"],
    ["interrupt", "interrupt has a message of its own: interrupt"],
    [
      "end_session",
      "end_session is not a control request that a host may send: use shutdown to end the process",
    ],
    ["constructor", "constructor is not a control request that a host may send"],
  ];
  test.each(NAMED)("control refuses %s and names the message to use instead", (subtype, words) => {
    const parsed = InboundMessage.safeParse({ type: "control", subtype });
    expect(parsed.error?.issues.map(({ message }) => message)).toEqual([words]);
  });

  test("control excludes each subtype that has its own message, and that message exists", () => {
    for (const [subtype, { message }] of Object.entries(OWN_REQUESTS)) {
      expect(Object.hasOwn(CONTROL_SUBTYPES, subtype)).toBe(false);
      expect(INBOUND_TYPES.has(message)).toBe(true);
    }
  });

  test("control is sent to Claude with its known fields only, and returns Claude's response", async () => {
    const session = await startSession();
    const [written] = await writtenBy(session, () =>
      control(session, "read_file", { path: "/a", max_bytes: 5, extra: "dropped" }),
    );
    expect(written?.["request"]).toEqual({ subtype: "read_file", path: "/a", max_bytes: 5 });
    await answerTo(session, "read_file", { response: { contents: "x" } });
    expect(emittedOf(session, "control_result")).toMatchObject([
      { subtype: "read_file", ok: true, response: { contents: "x" }, in_reply_to: "c" },
    ]);
  });

  test("control returns Claude's error message when Claude rejects the request", async () => {
    const session = await startSession();
    control(session, "mcp_reconnect", { serverName: "nope" });
    await answerTo(session, "mcp_reconnect", { subtype: "error", error: "Server not found: nope" });
    expect(emittedOf(session, "control_result")).toMatchObject([
      { ok: false, error: "Server not found: nope" },
    ]);
  });

  test("control is refused at once when this CLI does not support it, and names the version that does", async () => {
    const session = await startSession();
    sayAsHost(session, "hello");
    await session.claude().say(initLine({ claude_code_version: "2.1.197" }));
    const emitted = await emittedBy(session, () => control(session, "list_models"));
    expect(emitted).toMatchObject([
      { ok: false, error: "unsupported: claude 2.1.197 does not know list_models; 2.1.330 has it" },
    ]);
  });

  const LACKS: readonly (readonly [string, string | undefined, boolean])[] = [
    ["stop_task", "2.1.38", true],
    ["stop_task", "2.0.99", true],
    ["stop_task", "2.1.39", false],
    ["stop_task", undefined, false],
    ["list_models", "2.1.197", true],
    ["list_models", "2.1.330", false],
    ["get_plan", "2.1.38", false],
    ["mcp_status", "2.1.38", false],
    ["set_color", "2.1.330", true],
    ["set_color", "2.2.0", false],
  ];
  test.each(LACKS)("%s is unsupported in %p: %p", (subtype, version, isLacking) => {
    expect(unsupportedIn(subtype, version) !== undefined).toBe(isLacking);
  });

  test("control is refused when no process is running", async () => {
    const session = await startSession();
    await session.claude().exit();
    const emitted = await emittedBy(session, () => control(session, "mcp_status"));
    expect(emitted).toMatchObject([{ ok: false, error: "claude is not running" }]);
  });

  test("control has a timeout of at least 30 seconds for each subtype", () => {
    const times = Object.values(CONTROL_SUBTYPES).map(({ timeoutMs }) => timeoutMs);
    expect(times.every((time) => time >= 30_000)).toBe(true);
  });
});

const asking = (request_id: string, request: Fields) => ({
  type: "control_request",
  request_id,
  request,
});

const FORM = {
  subtype: "elicitation",
  mcp_server_name: "forms",
  message: "Which colour?",
  mode: "form",
  requested_schema: { type: "object" },
};

describe("elicitation", () => {
  test("an elicitation is forwarded with the order of its fields, unless that is ill-typed", async () => {
    const session = await startSession();
    await session.claude().say(asking("e", { ...FORM, property_order: ["colour"] }));
    await session.claude().say(asking("f", { ...FORM, property_order: "colour" }));
    const [ordered, other] = emittedOf(session, "elicitation_request");
    expect(ordered).toMatchObject({ request_id: "e", property_order: ["colour"] });
    expect(other).toMatchObject({ request_id: "f", message: "Which colour?" });
    expect(other?.["property_order"]).toBeUndefined();
  });

  test.each([
    { mode: null },
    { url: null },
    { requested_schema: null },
    { requested_schema: "none" },
  ])("an elicitation with %j is forwarded without that field", async (fields) => {
    const session = await startSession();
    await session.claude().say(asking("e", { ...FORM, ...fields }));
    const [form] = emittedOf(session, "elicitation_request");
    expect(form).toMatchObject({ request_id: "e", message: "Which colour?" });
    for (const name of Object.keys(fields)) expect(form?.[name]).toBeUndefined();
  });

  test("an elicitation is forwarded, and its answer is sent to Claude once", async () => {
    const session = await startSession();
    await session.claude().say(asking("e", FORM));
    expect(emittedOf(session, "elicitation_request")).toMatchObject([
      { request_id: "e", mcp_server_name: "forms", message: "Which colour?" },
    ]);
    expect(emittedOf(session, "session_state").at(-1)).toMatchObject({ state: "requires_action" });
    const answer = { type: "elicitation_answer", request_id: "e", action: "accept" } as const;
    const [written] = await writtenBy(session, () =>
      session.session.handleQuestionAnswer({ ...answer, content: { colour: "red" } }),
    );
    expect(written?.["response"]).toEqual({
      subtype: "success",
      request_id: "e",
      response: { action: "accept", content: { colour: "red" } },
    });
    const emitted = await emittedBy(session, () => session.session.handleQuestionAnswer(answer));
    expect(emitted).toMatchObject([{ type: "error", code: "stale_request" }]);
    expectGuarantees(session);
  });

  test("an elicitation rejects a tool_approval, and a permission prompt rejects an elicitation_answer", async () => {
    const session = await startSession();
    await session.claude().say(asking("e", FORM));
    sayAsHost(session, "hello");
    await session.claude().say(promptLine("p"));
    const emitted = await emittedBy(session, () => {
      session.session.handleToolApproval({
        type: "tool_approval",
        request_id: "e",
        decision: "deny",
      });
      session.session.handleQuestionAnswer({
        type: "elicitation_answer",
        request_id: "p",
        action: "cancel",
      });
    });
    expect(emitted.map(({ code }) => code)).toEqual(["bad_message", "bad_message"]);
  });
});

const DIALOG = { subtype: "request_user_dialog", dialog_kind: "survey", payload: { q: 1 } };

describe("dialog", () => {
  test("a dialog is forwarded and answered when its kind was declared to Claude", async () => {
    const session = await startSession({ init: { options: { dialogs: ["survey"] } } });
    expect(requestOf(session, "initialize")).toMatchObject({
      request: { supportedDialogKinds: ["survey"] },
    });
    await session.claude().say(asking("d", DIALOG));
    expect(emittedOf(session, "dialog_request")).toMatchObject([
      { request_id: "d", dialog_kind: "survey", payload: { q: 1 } },
    ]);
    const [written] = await writtenBy(session, () =>
      session.session.handleQuestionAnswer({
        type: "dialog_answer",
        request_id: "d",
        behavior: "completed",
        result: 5,
      }),
    );
    expect(written?.["response"]).toMatchObject({ response: { behavior: "completed", result: 5 } });
    expectGuarantees(session);
  });

  test("a dialog is neither forwarded nor answered when its kind was not declared", async () => {
    const session = await startSession({ init: { options: { dialogs: ["other"] } } });
    const written = await writtenBy(session, () => session.claude().say(asking("d", DIALOG)));
    expect(written).toEqual([]);
    expect(emittedOf(session, "dialog_request")).toEqual([]);
  });
});

describe("prompt_timeout_ms", () => {
  const QUESTION = {
    tool_name: "AskUserQuestion",
    input: { questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }] },
  };
  const TEXTS: readonly (readonly [Fields, number, string])[] = [
    [{}, 600_000, "Tool approval timed out after 10 minutes"],
    [QUESTION, 600_000, "User did not respond within 10 minutes"],
    [{}, 60_000, "Tool approval timed out after 1 minute"],
    [QUESTION, 90_000, "User did not respond within 90 seconds"],
  ];
  test.each(TEXTS)(
    "prompt_timeout_ms denies %j after %p ms: %s",
    async (fields, prompt_timeout_ms, message) => {
      const session = await startSession({ init: { options: { prompt_timeout_ms } } });
      sayAsHost(session, "hello");
      await session.claude().say(promptLine("p", fields));
      session.clock.advance(prompt_timeout_ms - 1);
      expect(emittedOf(session, "control_request_cancel")).toEqual([]);
      const [written] = await writtenBy(session, () => session.clock.advance(1));
      expect(written?.["response"]).toMatchObject({
        request_id: "p",
        response: { behavior: "deny", message, interrupt: true },
      });
      expect(emittedOf(session, "control_request_cancel")).toMatchObject([{ reason: "timeout" }]);
      expectGuarantees(session);
    },
  );

  test("prompt_timeout_ms does not deny a prompt that was answered in time", async () => {
    const session = await startSession({ init: { options: { prompt_timeout_ms: 1000 } } });
    sayAsHost(session, "hello");
    await session.claude().say(promptLine("p"));
    session.session.handleToolApproval({
      type: "tool_approval",
      request_id: "p",
      decision: "allow",
    });
    const written = await writtenBy(session, () => session.clock.advance(5000));
    expect(written).toEqual([]);
  });

  test("prompt_timeout_ms is off by default", async () => {
    const session = await startSession();
    sayAsHost(session, "hello");
    await session.claude().say(promptLine("p"));
    session.clock.advance(24 * 3_600_000);
    expect(emittedOf(session, "control_request_cancel")).toEqual([]);
  });
});

describe.each([
  ["permission_mode without a process", true],
  ["permission_mode with a process", false],
])("%s", (_name, isGone) => {
  /** The host requests a mode after Claude has reported its version. */
  async function asksFor(mode: "manual" | "auto" | "delegate", claude_code_version?: string) {
    const session = await startSession();
    sayAsHost(session, "begin");
    const init = { claude_code_version, permissionMode: undefined };
    if (claude_code_version !== undefined) await session.claude().say(initLine(init));
    if (isGone) await session.claude().exit();
    session.session.handlePermissionMode({ type: "permission_mode", mode, id: "ask" });
    return session;
  }

  test.each([
    ["2.1.38", "manual"],
    ["2.1.38", "auto"],
    ["2.1.197", "manual"],
    ["2.1.197", "delegate"],
    ["2.1.330", "delegate"],
  ] as const)(
    "permission_mode is refused for claude %s when the mode is %s, which that version does not know",
    async (...row) => {
      const [version, mode] = row;
      const session = await asksFor(mode, version);
      const [result, ...more] = emittedOf(session, "control_result");
      expect(result).toMatchObject({ ok: false, in_reply_to: "ask" });
      expect(result?.["error"]).toStartWith(`unsupported: claude ${version} does not know`);
      expect(more).toEqual([]);
      expect(emittedOf(session, "permission_mode_changed")).toEqual([]);
    },
  );

  test.each([
    ["2.1.38", "delegate"],
    ["2.1.100", "auto"],
    ["2.1.197", "auto"],
    ["2.1.250", "manual"],
    ["2.1.330", "manual"],
    ["2.2.0", "delegate"],
    [undefined, "manual"],
  ] as const)(
    "permission_mode is accepted for claude %s when the mode is %s",
    async (version, mode) => {
      const session = await asksFor(mode, version);
      if (!isGone) await answerTo(session, "set_permission_mode");
      expect(emittedOf(session, "control_result")).toMatchObject([{ ok: true }]);
      expect(emittedOf(session, "permission_mode_changed")).toMatchObject([{ mode }]);
    },
  );
});
