/** Prompts that outlive their turn, with a real `claude`: of work in the background, of a host's own call. */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ApiRequest, openingText } from "../../simulator/api-request.ts";
import { mcpServer } from "../../simulator/mcp-server.ts";
import type { ReplySource, ScriptEntry } from "../../simulator/reply-script.ts";
import type { Received } from "../drivers/bridge-process.ts";
import { expectEnd } from "./real-end.ts";
import {
  callTool,
  isTurnEnd,
  ofType,
  openRealPlace,
  type RealPlace,
  type RealSession,
  startRealSession,
} from "./real-session.ts";
import { REAL_TIMEOUT_MS } from "./real-shared-session.ts";

/** A reply for the conversation that begins with this word: `MAIN`, `OUTER` or `INNER`. */
export const as = (who: string, reply: ReplySource): ScriptEntry => ({
  reply,
  when: ({ body }: Pick<ApiRequest, "body">) => openingText(body).includes(who),
});

export function callAgent(prompt: string, run_in_background: boolean): ReplySource {
  const input = { description: "d", prompt, subagent_type: "general-purpose", run_in_background };
  return { content: [{ type: "tool_use", name: "Agent", input }] };
}

export const TOUCH: ReplySource = {
  content: [{ type: "tool_use", name: "Bash", input: { command: "touch a.txt" } }],
};
export const ASK_TOOL = "mcp__tide__ask";
export const FORM: ReplySource = {
  content: [{ type: "tool_use", name: ASK_TOOL, input: { question: "who?" } }],
};

/** A reply that is sent whole after `release`. */
export function holdWhole(text: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const reply: ReplySource = { content: [{ type: "text", text }], holds: [{ until: promise }] };
  return { reply, release: resolve };
}

let place: RealPlace;
let session: RealSession;

/** The session of the test that runs. */
export const promptSession = (): RealSession => session;

/** Declares tests with a session of their own each, with these options. */
export function withSession(version: string, options: object, declare: () => void): void {
  setDefaultTimeout(REAL_TIMEOUT_MS);
  describe(`claude ${version}`, () => {
    beforeEach(async () => {
      place = await openRealPlace(version);
      const mcp_config = { mcpServers: { tide: mcpServer() } };
      const allowed_tools = [ASK_TOOL, "mcp__tide__wait"];
      session = startRealSession(place, { options: { mcp_config, allowed_tools, ...options } });
      await session.next("session_capabilities");
    });
    afterEach(() => place.close());
    declare();
  });
}

export const isAsk = ({ type }: Received) =>
  type === "control_request_forward" || type === "elicitation_request";

/** Expects that the prompt is open after the end of the turn and that its answer reaches Claude. */
async function expectAnswerable({ request_id, type }: Received): Promise<void> {
  const closed = ({ type: kind }: Received) => kind.startsWith("control_request_c");
  expect(session.bridge.received.filter(closed)).toEqual([]);
  if (type === "elicitation_request")
    session.send({ type: "elicitation_answer", request_id, action: "accept", content: {} });
  else session.send({ type: "tool_approval", request_id, decision: "allow" });
  expect(await session.next("control_request_resolved")).toMatchObject({ request_id });
}

/** The end of the background agent starts a turn. */
async function expectWake(): Promise<void> {
  expect(await session.next(isTurnEnd)).toMatchObject({ trigger: "task", text: "woken" });
}

/** What was seen on 2.1.330. */
export function realPromptsOutlive(version: string): void {
  withSession(version, {}, () => {
    listNestedPrompt();
    listMovedPrompt();
    listBackgroundForm();
    listContinuedAgent();
  });
}

function listNestedPrompt(): void {
  test("the prompt of an agent inside a background agent outlives the turn", async () => {
    const { say, next } = session;
    const main = holdWhole("main done");
    say(
      "MAIN: go",
      as("MAIN", callAgent("OUTER", true)),
      as("OUTER", callAgent("INNER", false)),
      as("INNER", TOUCH),
      as("MAIN", main.reply),
      as("INNER", "inner done"),
      as("OUTER", "outer done"),
      as("MAIN", "woken"),
    );
    const prompt = await next(isAsk);
    main.release();
    await next(isTurnEnd);
    const inner = ofType(session.bridge.received, "task_started").at(-1);
    expect(inner).toMatchObject({ is_backgrounded: false, spawn_depth: 2 });
    expect(prompt["parent_tool_use_id"]).toBe(inner?.["tool_use_id"]);
    expect(prompt).not.toHaveProperty("turn_id");
    await expectAnswerable(prompt);
    await expectWake();
    await expectEnd(session);
  });
}

function listMovedPrompt(): void {
  test("the prompt of an agent that is moved to the background outlives the turn", async () => {
    const { say, next, send } = session;
    say(
      "MAIN: go",
      as("MAIN", callAgent("OUTER", false)),
      as("OUTER", TOUCH),
      as("MAIN", "main done"),
      as("OUTER", "outer done"),
      as("MAIN", "woken"),
    );
    const prompt = await next(isAsk);
    expect(prompt).toHaveProperty("turn_id");
    send({ type: "control", subtype: "background_tasks" });
    expect(await next(isTurnEnd)).toMatchObject({ result: "success", text: "main done" });
    await expectAnswerable(prompt);
    await expectWake();
    await expectEnd(session);
  });
}

function listBackgroundForm(): void {
  test("the form that a background agent's tool asks for outlives the turn", async () => {
    const { say, next } = session;
    const held = holdWhole("main done");
    say(
      "MAIN: go",
      as("MAIN", callAgent("OUTER", true)),
      as("OUTER", FORM),
      as("MAIN", held.reply),
      as("OUTER", "outer done"),
      as("MAIN", "woken"),
    );
    const prompt = await next(isAsk);
    const [task] = ofType(session.bridge.received, "task_started");
    expect(prompt["parent_tool_use_id"]).toBe(task?.["tool_use_id"]);
    expect(prompt).not.toHaveProperty("turn_id");
    held.release();
    expect(await next(isTurnEnd)).toMatchObject({ result: "success", text: "main done" });
    await expectAnswerable(prompt);
    await expectWake();
    await expectEnd(session);
  });
}

function listContinuedAgent(): void {
  test("an agent that is continued by a message keeps its first call, and has no turn", async () => {
    const { say, next, bridge } = session;
    say(
      "MAIN: go",
      as("MAIN", callAgent("OUTER", true)),
      as("OUTER", "outer done"),
      as("MAIN", "main done"),
      as("MAIN", "woken"),
    );
    await next(isTurnEnd);
    await expectWake();
    const [task] = ofType(bridge.received, "task_started");
    const message = { to: task?.["task_id"], summary: "go on with it", message: "go on" };
    say(
      "MAIN: more",
      as("MAIN", callTool("SendMessage", message) as ReplySource),
      as("OUTER", TOUCH),
      as("MAIN", "sent"),
      as("OUTER", "outer again"),
      as("MAIN", "woken"),
    );
    const prompt = await next(isAsk);
    expect(prompt["parent_tool_use_id"]).toBe(task?.["tool_use_id"]);
    expect(prompt).not.toHaveProperty("turn_id");
    const call = ofType(bridge.received, "tool_use").find(({ tool_name }) => tool_name === "Bash");
    expect(call?.["parent_tool_use_id"]).toBe(task?.["tool_use_id"]);
    expect(call).not.toHaveProperty("turn_id");
  });
}

/** The form of a tool that the host has called, in a turn. */
export function realHostCalls(version: string): void {
  withSession(version, {}, () => {
    test("the form of a tool that the host called outlives the turn", async () => {
      const { say, next, send } = session;
      const held = holdWhole("main done");
      // A first turn, since the servers are connected by then.
      say("MAIN: hello", "Hello.");
      await next(isTurnEnd);
      say("MAIN: go", held.reply);
      await next("turn_started");
      send({
        type: "control",
        subtype: "mcp_call",
        tool: ASK_TOOL,
        arguments: { question: "who?" },
      });
      const prompt = await next(isAsk);
      expect(prompt).not.toHaveProperty("turn_id");
      held.release();
      expect(await next(isTurnEnd)).toMatchObject({ result: "success", text: "main done" });
      await expectAnswerable(prompt);
      expect(await next("control_result")).toMatchObject({ subtype: "mcp_call", ok: true });
      await expectEnd(session);
    });
  });
}

/** A form that is open when the host ends its turn. */
export function realFormsAtInterrupt(version: string): void {
  withSession(version, {}, () => {
    test("an interrupt closes an open form on both sides, and the next turn works", async () => {
      const { say, next, send } = session;
      say("MAIN: go", FORM);
      const { request_id } = await next(isAsk);
      send({ type: "interrupt" });
      expect(await next("control_request_cancel")).toMatchObject({
        request_id,
        reason: "interrupted",
      });
      expect(await next(isTurnEnd)).toMatchObject({ result: "cancelled" });
      say("MAIN: still there?", "Still here.");
      expect(await next(isTurnEnd)).toMatchObject({ result: "success", text: "Still here." });
      await expectEnd(session);
    });

    test("a session command closes an open form, and the new conversation works", async () => {
      const { say, next, send } = session;
      say("MAIN: go", FORM);
      const { request_id } = await next(isAsk);
      send({ type: "session_command", command: "new" });
      expect(await next("control_request_cancel")).toMatchObject({
        request_id,
        reason: "interrupted",
      });
      await next("process_exit");
      say("MAIN: hello", "Hello.");
      expect(await next(isTurnEnd)).toMatchObject({ result: "success", text: "Hello." });
    });
  });
}
