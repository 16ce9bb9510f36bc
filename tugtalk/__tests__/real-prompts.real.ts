/** Prompts of a real `claude` that outlive their turn or end with it: of work in the background, of a host's own call. */
import { expect } from "bun:test";
import type { ReplySource } from "../simulator/reply-script.ts";
import type { Received } from "../testing/drivers/bridge-process.ts";
import { mcpServer } from "../testing/real/mcp-server.ts";
import { agentInput, as, callTool, holdWhole, startGate } from "../testing/real/real-replies.ts";
import type { RealPlace, RealSession } from "../testing/real/real-session.ts";
import { inOneSession, realTests } from "../testing/real/real-tests.ts";

const ASK_TOOL = "mcp__tide__ask";
const TOUCH = callTool("Bash", { command: "touch a.txt" });
const FORM = callTool(ASK_TOOL, { question: "who?" });

const callAgent = (prompt: string, run_in_background: boolean) =>
  callTool("Agent", agentInput(prompt, { run_in_background }));

/**
 * A session with a server that asks. The first message is `MAIN` in the main conversation, `OUTER` in the
 * conversation of an agent, and `INNER` in the conversation of an agent's agent.
 */
async function open(place: RealPlace, options: object = {}): Promise<RealSession> {
  const mcp_config = { mcpServers: { tide: mcpServer() } };
  const allowed_tools = [ASK_TOOL, "mcp__tide__wait"];
  const session = await place.open({ options: { mcp_config, allowed_tools, ...options } });
  await session.untilConnected();
  return session;
}

/** The replies for each conversation, by the word of its first message. */
type Replies = Readonly<Record<string, readonly ReplySource[]>>;

const begin = (session: RealSession, replies: Replies) =>
  session.say(
    "MAIN: go",
    ...Object.entries(replies).flatMap(([word, own]) => own.map((reply) => as(word, reply))),
  );

const callAsHost = (session: RealSession) =>
  session.send({
    type: "control",
    subtype: "mcp_call",
    tool: ASK_TOOL,
    arguments: { question: "?" },
  });

function answer(session: RealSession, prompt: Received): void {
  const { type, request_id } = prompt;
  if (type === "control_request_forward") session.allow(prompt);
  else session.send({ type: "elicitation_answer", request_id, action: "accept", content: {} });
}

/** The prompt is open, and its answer reaches Claude. */
async function expectAnswerable(session: RealSession, prompt: Received): Promise<void> {
  const { request_id } = prompt;
  const cancelled = session.all("control_request_cancel").map((cancel) => cancel["request_id"]);
  expect(cancelled).not.toContain(request_id);
  answer(session, prompt);
  await session.next("control_request_resolved", { request_id });
}

/** The end of the background agent starts a turn. */
const expectWake = (session: RealSession) => session.turn({ trigger: "task", text: "woken" });

const newestTask = (session: RealSession) => session.all("task_started").at(-1);

const VERSIONS = ["2.1.197", "2.1.330"] as const;

inOneSession(VERSIONS, open, (test, version) => {
  if (version === "2.1.330") {
    test("the prompt of an agent inside a background agent outlives the turn", async (session) => {
      const main = holdWhole("main done");
      begin(session, {
        MAIN: [callAgent("OUTER", true), main.reply, "woken"],
        OUTER: [callAgent("INNER", false), "outer done"],
        INNER: [TOUCH, "inner done"],
      });
      const prompt = await session.prompt();
      main.release();
      await session.turn("main done");
      const inner = newestTask(session);
      expect(inner).toMatchObject({ is_backgrounded: false, spawn_depth: 2 });
      expect(prompt["parent_tool_use_id"]).toBe(inner?.["tool_use_id"]);
      expect(prompt).not.toHaveProperty("turn_id");
      await expectAnswerable(session, prompt);
      await expectWake(session);
    });

    test("the prompt of an agent that is moved to the background outlives the turn", async (session) => {
      begin(session, {
        MAIN: [callAgent("OUTER", false), "main done", "woken"],
        OUTER: [TOUCH, "outer done"],
      });
      const prompt = await session.prompt();
      expect(prompt).toHaveProperty("turn_id");
      session.send({ type: "control", subtype: "background_tasks" });
      await session.turn("main done");
      await expectAnswerable(session, prompt);
      await expectWake(session);
    });

    test("the form of a background agent outlives the turn; continued by a message, the agent keeps its first call", async (session) => {
      const main = holdWhole("main done");
      begin(session, {
        MAIN: [callAgent("OUTER", true), main.reply, "woken"],
        OUTER: [FORM, "outer done"],
      });
      const form = await session.prompt();
      const task = newestTask(session);
      main.release();
      await session.turn("main done");
      await expectAnswerable(session, form);
      await expectWake(session);

      const message = { to: task?.["task_id"], summary: "go on with it", message: "go on" };
      const sent = holdWhole("sent");
      begin(session, {
        MAIN: [callTool("SendMessage", message), sent.reply, "woken"],
        OUTER: [TOUCH, "outer again"],
      });
      const prompt = await session.prompt();
      const call = session.all("tool_use").findLast(({ tool_name }) => tool_name === "Bash");
      for (const own of [form, prompt, call]) {
        expect(own?.["parent_tool_use_id"]).toBe(task?.["tool_use_id"]);
        expect(own).not.toHaveProperty("turn_id");
      }
      sent.release();
      await session.turn("sent");
      await expectAnswerable(session, prompt);
      await expectWake(session);
    });
  }

  test("the form of a tool that the host called outlives the turn", async (session) => {
    const main = holdWhole("main done");
    begin(session, { MAIN: [main.reply] });
    await session.next("turn_started");
    const in_reply_to = callAsHost(session);
    const prompt = await session.prompt();
    expect(prompt).not.toHaveProperty("turn_id");
    main.release();
    await session.turn("main done");
    await expectAnswerable(session, prompt);
    await session.next("control_result", { subtype: "mcp_call", ok: true, in_reply_to });
  });

  test("a nested agent's form outlives the turn, also beside a call of the main conversation", async (session) => {
    using gate = startGate();
    begin(session, {
      MAIN: [
        callAgent("OUTER", true),
        callTool("mcp__tide__wait", { url: gate.url }),
        "main done",
        "woken",
      ],
      OUTER: [callAgent("INNER", false), "outer done"],
      INNER: [FORM, "inner done"],
    });
    const prompt = await session.prompt();
    await gate.reached;
    expect(prompt).not.toHaveProperty("turn_id");
    gate.open();
    await session.turn("main done");
    await expectAnswerable(session, prompt);
    await expectWake(session);
  });

  const FORMS: readonly Replies[] = [
    { MAIN: [FORM] },
    { MAIN: [callAgent("OUTER", false)], OUTER: [callAgent("INNER", false)], INNER: [FORM] },
  ];
  for (const replies of FORMS)
    test(`an interrupt closes an open form on both sides, and the next turn works: ${Object.keys(replies).at(-1)}`, async (session) => {
      begin(session, replies);
      const { request_id } = await session.prompt();
      session.send({ type: "interrupt" });
      await session.next("control_request_cancel", { request_id, reason: "interrupted" });
      await session.turn({ result: "cancelled" });
      session.say("MAIN: still there?", "Still here.");
      await session.turn("Still here.");
    });

  test("the form of an interrupted turn closes once the host's call is over, too", async (session) => {
    const call = callAsHost(session);
    const ofHost = await session.prompt();
    begin(session, { MAIN: [FORM] });
    const { request_id } = await session.prompt();
    session.send({ type: "interrupt" });
    await session.turn({ result: "cancelled" });
    answer(session, ofHost);
    await session.next("control_request_cancel", { request_id });
    await session.next(({ in_reply_to }) => in_reply_to === call, { ok: true });
    session.say("MAIN: still there?", "Still here.");
    await session.turn("Still here.");
  });

  test("a session command closes an open form, and the new conversation works", async (session) => {
    begin(session, { MAIN: [FORM] });
    const { request_id } = await session.prompt();
    session.send({ type: "session_command", command: "new" });
    await session.next("control_request_cancel", { request_id, reason: "interrupted" });
    await session.next("process_exit");
    session.say("MAIN: hello", "Hello.");
    await session.turn("Hello.");
    await session.end(2);
  });
});

/** Longer than a busy machine takes to the first token of an answer that comes. */
const FIRST_TOKEN_MS = 6_000;

/** The silent turn stalls, and its Claude goes on. */
async function expectStall(session: RealSession): Promise<void> {
  await session.next("error", { code: "claude_unresponsive" });
  await session.turn({ result: "cancelled" });
  expect(session.all("process_exit")).toEqual([]);
}

realTests(...VERSIONS)(
  "a silent turn stalls while the form of a host's call is open, or an agent in the background waits",
  async (place) => {
    const session = await open(place, { first_token_timeout_ms: FIRST_TOKEN_MS });
    const silence = holdWhole("never").reply;
    callAsHost(session);
    const form = await session.prompt();
    begin(session, { MAIN: [silence] });
    await expectStall(session);
    await expectAnswerable(session, form);
    begin(session, { MAIN: [callAgent("OUTER", true), silence], OUTER: [TOUCH] });
    expect(await session.prompt()).not.toHaveProperty("turn_id");
    await expectStall(session);
  },
);
