/** The host's control requests by the allow-list, and Claude's elicitations and dialogs (§19, §21). */

import { expect, test } from "bun:test";
import { initLine, promptLine } from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { inTurn, working } from "../../../testing/drivers/working-session.ts";
import type { Fields } from "../../base/json.ts";
import { INBOUND_TYPES } from "../../edge/plain-checks.generated.ts";
import { ControlMessage } from "../../messages/control-messages.ts";
import { CONTROL_SUBTYPES, OWN_REQUESTS } from "../../messages/control-subtypes.ts";
import { unsupportedIn } from "../../messages/control-support.ts";
import { InboundMessage } from "../../types.ts";

const control = (session: TestSession, subtype: string, fields: Fields = {}) =>
  session.session.handleControl(
    ControlMessage.parse({ type: "control", id: "c", subtype, ...fields }),
  );

const NAMED: readonly (readonly [string, string])[] = [
  ["set_model", "subtype: set_model has a message of its own: model_change"],
  [
    "cancel_async_message",
    "subtype: cancel_async_message has a message of its own: cancel_message",
  ],
  ["interrupt", "subtype: interrupt has a message of its own: interrupt"],
  [
    "end_session",
    "subtype: end_session is not a control request that a host may send: use shutdown to end the process",
  ],
  ["initialize", "subtype: initialize has a message of its own: protocol_init"],
  ["constructor", "subtype: constructor is not a control request that a host may send"],
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
  const [written] = await session.writtenBy(() =>
    control(session, "read_file", { path: "/a", max_bytes: 5, extra: "dropped" }),
  );
  expect(written?.["request"]).toEqual({ subtype: "read_file", path: "/a", max_bytes: 5 });
  await session.answerTo("read_file", { response: { contents: "x" } });
  expect(session.of("control_result")).toMatchObject([
    { subtype: "read_file", ok: true, response: { contents: "x" }, in_reply_to: "c" },
  ]);
});

test("control is refused at once when this CLI does not support it, and names the version that does", async () => {
  const session = await working({}, initLine({ claude_code_version: "2.1.197" }));
  const emitted = await session.emittedBy(() => control(session, "list_models"));
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

test("control has a timeout of at least 30 seconds for each subtype", () => {
  const times = Object.values(CONTROL_SUBTYPES).map(({ timeoutMs }) => timeoutMs);
  expect(times.every((time) => time >= 30_000)).toBe(true);
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

test("an elicitation is forwarded with the order of its fields, unless that is ill-typed", async () => {
  const session = await startSession();
  await session.say(
    asking("e", { ...FORM, property_order: ["colour"] }),
    asking("f", { ...FORM, property_order: "colour" }),
  );
  const [ordered, other] = session.of("elicitation_request");
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
  await session.say(asking("e", { ...FORM, ...fields }));
  const [form] = session.of("elicitation_request");
  expect(form).toMatchObject({ request_id: "e", message: "Which colour?" });
  for (const name of Object.keys(fields)) expect(form?.[name]).toBeUndefined();
});

test("an elicitation is forwarded, and its answer is sent to Claude once", async () => {
  const session = await startSession();
  await session.say(asking("e", FORM));
  expect(session.of("elicitation_request")).toMatchObject([
    { request_id: "e", mcp_server_name: "forms", message: "Which colour?" },
  ]);
  expect(session.state).toBe("requires_action");
  const content = { colour: "red" };
  const [written] = await session.writtenBy(() => session.accept("e", content));
  const response = { action: "accept", content };
  expect(written?.["response"]).toEqual({ subtype: "success", request_id: "e", response });
  const emitted = await session.emittedBy(() => session.accept());
  expect(emitted).toMatchObject([{ type: "error", code: "stale_request" }]);
});

test("an elicitation rejects a tool_approval, and a permission prompt rejects an elicitation_answer", async () => {
  const session = await startSession();
  await session.say(asking("e", FORM));
  await session.say(promptLine("p"));
  const emitted = await session.emittedBy(() => {
    session.approve({ request_id: "e", decision: "deny" });
    session.accept("p");
  });
  expect(emitted.map(({ code }) => code)).toEqual(["bad_message", "bad_message"]);
});

const DIALOG = { subtype: "request_user_dialog", dialog_kind: "survey", payload: { q: 1 } };

test("a dialog is forwarded and answered when its kind was declared to Claude", async () => {
  const session = await startSession({ init: { options: { dialogs: ["survey"] } } });
  expect(session.lastWrite).toHaveProperty("request.supportedDialogKinds", ["survey"]);
  await session.say(asking("d", DIALOG));
  expect(session.of("dialog_request")).toMatchObject([
    { request_id: "d", dialog_kind: "survey", payload: { q: 1 } },
  ]);
  const answer = { request_id: "d", behavior: "completed", result: 5 } as const;
  const [written] = await session.writtenBy(() =>
    session.session.handleQuestionAnswer({ type: "dialog_answer", ...answer }),
  );
  expect(written?.["response"]).toMatchObject({ response: { behavior: "completed", result: 5 } });
});

test("a dialog is neither forwarded nor answered when its kind was not declared", async () => {
  const session = await startSession({ init: { options: { dialogs: ["other"] } } });
  const written = await session.writtenBy(asking("d", DIALOG));
  expect(written).toEqual([]);
  expect(session.of("dialog_request")).toEqual([]);
});

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
    const session = await working({ init: { options: { prompt_timeout_ms } } });
    await session.say(promptLine("p", fields));
    session.clock.advance(prompt_timeout_ms - 1);
    expect(session.of("control_request_cancel")).toEqual([]);
    const [written] = await session.writtenBy(() => session.clock.advance(1));
    expect(written?.["response"]).toMatchObject({
      request_id: "p",
      response: { behavior: "deny", message, interrupt: true },
    });
    expect(session.of("control_request_cancel")).toMatchObject([{ reason: "timeout" }]);
  },
);

test("prompt_timeout_ms does not deny a prompt that was answered in time", async () => {
  const session = await working({ init: { options: { prompt_timeout_ms: 1000 } } });
  await session.say(promptLine("r"));
  session.approve();
  const written = await session.writtenBy(() => session.clock.advance(5000));
  expect(written).toEqual([]);
});

test("prompt_timeout_ms is off by default", async () => {
  const session = await inTurn(promptLine("p"));
  session.clock.advance(24 * 3_600_000);
  expect(session.of("control_request_cancel")).toEqual([]);
});

/** Which version knows which mode is shown with the capabilities. */
test.each([
  [false, "2.1.38", "manual", false],
  [true, "2.1.38", "manual", false],
  [false, "2.1.330", "delegate", false],
  [true, "2.1.330", "delegate", false],
  [false, "2.1.38", "delegate", true],
  [true, "2.1.330", "manual", true],
  [false, undefined, "manual", true],
  [true, undefined, "manual", true],
] as const)(
  "permission_mode without a process (%p) of claude %s with the mode %s is accepted: %p",
  async (isGone, version, mode, isAccepted) => {
    const session = await startSession();
    session.message("begin");
    const init = { claude_code_version: version, permissionMode: undefined };
    if (version !== undefined) await session.say(initLine(init));
    if (isGone) await session.exit();
    session.chooseMode(mode, "ask");
    if (isAccepted && !isGone) await session.answerTo("set_permission_mode");
    const [result, ...more] = session.of("control_result");
    expect(result).toMatchObject({ ok: isAccepted, in_reply_to: "ask" });
    expect(more).toEqual([]);
    if (!isAccepted)
      expect(result?.["error"]).toBe(
        `unsupported: claude ${version} does not know the mode ${mode}`,
      );
    const changes = session.of("permission_mode_changed").map((change) => change["mode"]);
    expect(changes).toEqual(isAccepted ? [mode] : []);
  },
);
