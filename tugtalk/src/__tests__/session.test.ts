/**
 * The front door: the arguments that Claude gets, the line that a message becomes, and what each
 * `handle…` method writes. Steps 0 to 2 of the plan; the routers have tests of their own.
 */
import { describe, expect, test } from "bun:test";
import { captured } from "../../testing/captures/captured-line.ts";
import {
  assistantLine,
  echoLine,
  eventLine,
  initLine,
  interruptedLine,
  messageEnd,
  messageStart,
  promptLine,
  questionLine,
  resultLine,
  textBlock,
  textDelta,
  textStart,
} from "../../testing/drivers/claude-lines.ts";
import {
  answerTo,
  emittedBy,
  emittedOf,
  expectGuarantees,
  sayAsHost,
  writtenBy,
} from "../../testing/drivers/emitted-messages.ts";
import { fakeClock } from "../../testing/drivers/fake-claude.ts";
import { startSession, type TestSession } from "../../testing/drivers/test-session.ts";
import { buildClaudeArgs, mapStreamEvent, routeTopLevelEvent, SessionManager } from "../session.ts";

const ID = "11111111-2222-4333-8444-555555555555";

describe("buildClaudeArgs", () => {
  test("with the default config does not include -p", () => {
    expect(buildClaudeArgs({})).not.toContain("-p");
    expect(buildClaudeArgs({})).not.toContain("--print");
  });

  test("with the default config includes what every session needs, and nothing else", () => {
    expect(buildClaudeArgs({})).toEqual([
      "--output-format=stream-json",
      "--input-format=stream-json",
      "--verbose",
      "--include-partial-messages",
      "--replay-user-messages",
      "--permission-prompt-tool=stdio",
    ]);
  });

  const ROWS: readonly (readonly [
    name: string,
    config: Parameters<typeof buildClaudeArgs>[0],
    args: readonly string[],
  ])[] = [
    ['with sessionId "abc"', { sessionId: "abc" }, ["--resume=abc"]],
    ["with continue", { continue: true }, ["--continue"]],
    [
      "with a fork of a session",
      { sessionId: "abc", forkSession: true },
      ["--resume=abc", "--fork-session"],
    ],
    [
      "with a fork of the newest",
      { continue: true, forkSession: true },
      ["--continue", "--fork-session"],
    ],
    ["with an id of one's own", { sessionIdOverride: ID }, [`--session-id=${ID}`]],
    [
      "with an id of one's own for a fork",
      { sessionId: "abc", forkSession: true, sessionIdOverride: ID },
      ["--resume=abc", "--fork-session", `--session-id=${ID}`],
    ],
    ["with flags that are false", { continue: false, forkSession: false }, []],
    [
      "with a model and a mode",
      { model: "opus", permissionMode: "dontAsk" },
      ["--model=opus", "--permission-mode=dontAsk"],
    ],
    [
      "with a value that looks like a flag",
      { model: "--dangerously-skip-permissions" },
      ["--model=--dangerously-skip-permissions"],
    ],
    [
      "with plugins",
      { options: { plugin_dirs: ["a", "b"] } },
      ["--plugin-dir=a", "--plugin-dir=b"],
    ],
  ];
  test.each([...ROWS])("%s adds its flags", (_name, config, args) => {
    const [, , , , , , ...added] = buildClaudeArgs(config);
    expect(added).toEqual([...args]);
  });

  test.each([
    ["both sessionId and continue", { sessionId: "abc", continue: true }],
    ["forkSession without sessionId or continue", { forkSession: true }],
    ["forkSession with an id of one's own only", { forkSession: true, sessionIdOverride: ID }],
    ["an id of one's own for a session that goes on", { sessionId: "abc", sessionIdOverride: ID }],
    ["an id of one's own for the newest session", { continue: true, sessionIdOverride: ID }],
    ["a place in no session", { resumeAt: ID }],
    ["a place in the newest session", { continue: true, forkSession: true, resumeAt: ID }],
  ])("throws for %s", (_name, config) => {
    expect(() => buildClaudeArgs(config)).toThrow(/^cannot /);
  });
});

test("the front door gives both routers", () => {
  const place = { msg_id: "m" };
  expect(routeTopLevelEvent({ type: "keep_alive" }).messages).toEqual([]);
  // A stream event says nothing of the session.
  expect(mapStreamEvent({ type: "ping" }, place)).not.toHaveProperty("sessionId");
});

test("the constructor starts nothing and tells nothing", () => {
  const unexpected = () => {
    throw new Error("nothing was asked for");
  };
  const session = new SessionManager({
    spawn: unexpected,
    writeSecretFile: unexpected,
    emit: unexpected,
    flush: unexpected,
    drained: unexpected,
    clock: fakeClock(),
    newId: () => ID,
    onFault: unexpected,
    past: {
      newestSessionId: unexpected,
      lastSessionId: unexpected,
      findPlace: unexpected,
      hasBranched: unexpected,
      isUnbegun: unexpected,
    },
    keepSessionId: unexpected,
    onFatal: unexpected,
  });
  expect(session.sessionId).toBeUndefined();
});

describe("handleUserMessage", () => {
  test("writes the full envelope", async () => {
    const session = await startSession();
    const written = await writtenBy(session, () => sayAsHost(session, "hi", { message_id: ID }));
    expect(written).toEqual([
      {
        type: "user",
        session_id: "",
        message: { role: "user", content: [{ type: "text", text: "hi" }] },
        parent_tool_use_id: null,
        uuid: ID,
      },
    ]);
  });

  test("writes an image as an image block", async () => {
    const session = await startSession();
    const content = btoa("GIF89a\x01\0\x01\0");
    const attachments = [{ filename: "a.gif", media_type: "image/gif", content: `${content}` }];
    const [line] = await writtenBy(session, () => sayAsHost(session, "look", { attachments }));
    expect(line).toHaveProperty("message.content.1", {
      type: "image",
      source: { type: "base64", media_type: "image/gif", data: content },
    });
  });

  test("a whole turn is told from its start to its receipt", async () => {
    const session = await startSession();
    sayAsHost(session, "hi", { message_id: ID });
    const { say } = session.claude();
    const emitted = await emittedBy(session, async () => {
      await say(initLine());
      await say(captured("status requesting"));
      await say(echoLine(ID, "hi"));
      for (const event of [messageStart("m"), textStart(), textDelta("Hel"), textDelta("lo")])
        await say(eventLine(event));
      await say(assistantLine("m", textBlock("Hello")));
      for (const event of messageEnd) await say(eventLine(event));
      await say(resultLine());
    });
    expect(emitted.map(({ type, status, state }) => status ?? state ?? type)).toEqual([
      "system_metadata",
      "partial",
      "partial",
      "complete",
      "message_complete",
      "cost_update",
      "turn_complete",
      "completed",
      "idle",
    ]);
    expectGuarantees(session);
  });

  test("a slash command goes to Claude as a message like any other, unchanged", async () => {
    const session = await startSession();
    const [line, ...more] = await writtenBy(session, () => sayAsHost(session, "/compact  now "));
    expect(line).toMatchObject({
      type: "user",
      session_id: "",
      message: { role: "user", content: [{ type: "text", text: "/compact  now " }] },
      parent_tool_use_id: null,
    });
    expect(more).toEqual([]);
  });

  test("the output of a command that comes as a replay is told as such", async () => {
    const session = await startSession();
    sayAsHost(session, "/cost");
    const emitted = await emittedBy(session, () =>
      session.claude().say(captured("command output 38")),
    );
    expect(emitted).toMatchObject([{ type: "user_text", kind: "command_output" }]);
    expect(emitted[0]).toHaveProperty(
      "turn_id",
      emittedOf(session, "turn_started")[0]?.["turn_id"],
    );
  });

  test("what a subagent says keeps its tag", async () => {
    const session = await startSession();
    sayAsHost(session, "go");
    const line = captured("subagent call 38");
    const emitted = await emittedBy(session, () => session.claude().say(line));
    expect(emitted).toMatchObject([
      { type: "tool_use", parent_tool_use_id: line["parent_tool_use_id"] },
    ]);
  });
});

/** A session in a turn in which Claude asks something. */
async function asked(line: Readonly<Record<string, unknown>>): Promise<TestSession> {
  const session = await startSession();
  sayAsHost(session, "go");
  await session.claude().say(initLine());
  await session.claude().say(line);
  return session;
}

const response = (body: object) => ({
  type: "control_response",
  response: { subtype: "success", request_id: "r", response: body },
});

describe("a control_request", () => {
  test.each(["38", "330"])(
    "of %s with can_use_tool emits control_request_forward, with all that was sent",
    async (version) => {
      const line = captured(`can_use_tool ${version}`);
      const session = await asked(line);
      const { subtype: _subtype, ...request } = line["request"] as { subtype: string };
      const [forward] = emittedOf(session, "control_request_forward");
      expect(forward).toMatchObject({
        ...request,
        request_id: line["request_id"],
        is_question: false,
        turn_id: emittedOf(session, "turn_started")[0]?.["turn_id"],
      });
      expectGuarantees(session);
    },
  );

  test.each(["38", "330"])(
    "of %s with AskUserQuestion emits it with is_question",
    async (version) => {
      const session = await asked(captured(`question ${version}`));
      expect(emittedOf(session, "control_request_forward")).toMatchObject([{ is_question: true }]);
    },
  );
});

describe("the methods for answers and changes", () => {
  test("handleToolApproval(allow) sends the control_response", async () => {
    const session = await asked(promptLine("r"));
    const written = await writtenBy(session, () =>
      session.session.handleToolApproval({
        type: "tool_approval",
        request_id: "r",
        decision: "allow",
      }),
    );
    const updatedInput = { file_path: "/work/project/a.txt", content: "x\n" };
    expect(written).toEqual([response({ behavior: "allow", updatedInput })]);
  });

  test("handleToolApproval(deny) sends the control_response", async () => {
    const session = await asked(promptLine("r"));
    const written = await writtenBy(session, () =>
      session.session.handleToolApproval({
        type: "tool_approval",
        request_id: "r",
        decision: "deny",
        message: "no",
      }),
    );
    expect(written).toEqual([response({ behavior: "deny", message: "no" })]);
  });

  test("handleQuestionAnswer sends the answers in updatedInput", async () => {
    const line = questionLine("r");
    const session = await asked(line);
    const answers = { "Which colour?": "Red", "Which colours?": ["Red", "Sea, green"] };
    const written = await writtenBy(session, () =>
      session.session.handleQuestionAnswer({ type: "question_answer", request_id: "r", answers }),
    );
    const { input } = line["request"] as { input: object };
    expect(written).toEqual([response({ behavior: "allow", updatedInput: { ...input, answers } })]);
  });

  test("handleInterrupt sends a control_request and no signal", async () => {
    const session = await asked(promptLine("r"));
    const written = await writtenBy(session, () =>
      session.session.handleInterrupt({ type: "interrupt" }),
    );
    expect(written).toEqual([
      {
        type: "control_request",
        request_id: expect.any(String),
        request: { subtype: "interrupt" },
      },
    ]);
    expect(session.claude().signals).toEqual([]);
  });

  test("a graceful interrupt ends in turn_complete with error_during_execution", async () => {
    const session = await asked(promptLine("r"));
    session.session.handleInterrupt({ type: "interrupt" });
    await answerTo(session, "interrupt");
    await session.claude().say(interruptedLine());
    expect(emittedOf(session, "turn_complete")).toMatchObject([
      { subtype: "error_during_execution", result: "cancelled" },
    ]);
    expectGuarantees(session);
  });

  test("handleModelChange sends set_model", async () => {
    const session = await startSession();
    const written = await writtenBy(session, () =>
      session.session.handleModelChange({ type: "model_change", model: "haiku" }),
    );
    expect(written).toMatchObject([
      { type: "control_request", request: { subtype: "set_model", model: "haiku" } },
    ]);
  });

  test("handlePermissionMode sends set_permission_mode, and the next process starts with it", async () => {
    const session = await startSession();
    const written = await writtenBy(session, () =>
      session.session.handlePermissionMode({ type: "permission_mode", mode: "plan" }),
    );
    expect(written).toMatchObject([{ request: { subtype: "set_permission_mode", mode: "plan" } }]);
    await answerTo(session, "set_permission_mode");
    await session.claude().exit();
    sayAsHost(session, "again");
    await session.settle();
    expect(session.starts[0]).not.toContain("--permission-mode=plan");
    expect(session.starts[1]).toContain("--permission-mode=plan");
  });
});
