/** Tools of the host: their declaration to Claude, their calls, and the end of each call. */
import { expect, test } from "bun:test";
import { resultLine } from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import type { Fields } from "../../base/json.ts";
import type { HostTool } from "../../messages/host-tool-messages.ts";

const TOOL: HostTool = { name: "level", description: "d", input_schema: { type: "object" } };
const TOOL_USE = "toolu_1";

/** A message of Claude to the server of the host's tools. */
function mcpLine(request_id: string, message: Fields, server_name = "host"): Fields {
  const request = { subtype: "mcp_message", server_name, message: { jsonrpc: "2.0", ...message } };
  return { type: "control_request", request_id, request };
}

function callLine(request_id = "u", id = 2, name = "level"): Fields {
  const _meta = { "claudecode/toolUseId": TOOL_USE };
  return mcpLine(request_id, {
    id,
    method: "tools/call",
    params: { name, arguments: { a: 1 }, _meta },
  });
}

/** The assistant line of the call, which comes before it. */
const USE: Fields = {
  type: "assistant",
  session_id: "s",
  parent_tool_use_id: null,
  message: {
    id: "msg_1",
    role: "assistant",
    model: "claude",
    content: [{ type: "tool_use", id: TOOL_USE, name: "mcp__host__level", input: { a: 1 } }],
  },
};

function start(tool: Partial<HostTool> = {}, options: object = {}): Promise<TestSession> {
  return startSession({ init: { options: { host_tools: [{ ...TOOL, ...tool }] } }, ...options });
}

/** A session in a turn with an open call. */
async function inCall(tool: Partial<HostTool> = {}): Promise<TestSession> {
  const session = await start(tool);
  session.message("how high is it?");
  await session.say(USE, callLine());
  return session;
}

function answer(session: TestSession, fields: Fields = { text: "High." }): void {
  const request_id = idOf(session);
  session.session.handleProgramAnswer({ type: "host_tool_answer", request_id, ...fields });
}

const idOf = (session: TestSession) => String(session.of("host_tool_request")[0]?.["request_id"]);

const closings = (session: TestSession) =>
  session
    .of("control_request_resolved", "control_request_cancel")
    .map(({ outcome, reason }) => outcome ?? reason);

/** The results that Claude has got for its calls. */
function results(session: TestSession): unknown[] {
  return session.claude().writes.flatMap(({ response }) => {
    const { mcp_response } = { ...((response as Fields | undefined)?.["response"] as Fields) };
    return mcp_response === undefined ? [] : [(mcp_response as Fields)["result"]];
  });
}

test("Claude gets the server before its first message, and the names of the tools that need no prompt", async () => {
  const session = await start({ permission: "allow" });
  expect(session.requestOf("initialize")["request"]).toMatchObject({ sdkMcpServers: ["host"] });
  expect(session.flags).toContain("--allowed-tools=mcp__host__level");
});

test("a session without tools of the host declares no server to Claude, and refuses messages to it", async () => {
  const session = await startSession();
  expect(session.requestOf("initialize")["request"]).not.toHaveProperty("sdkMcpServers");
  await session.say(callLine());
  expect(session.lastWrite?.["response"]).toMatchObject({ subtype: "error", request_id: "u" });
});

test("the list of tools is answered before Claude has answered initialize", async () => {
  const session = await start({}, { isReady: false });
  await session.say(mcpLine("l", { id: 1, method: "tools/list" }));
  expect(results(session)).toMatchObject([{ tools: [{ name: "level" }] }]);
  await session.initialize();
});

test("a call goes to the host in its turn, and its answer to Claude", async () => {
  const session = await inCall();
  expect(session.of("host_tool_request")).toMatchObject([
    { tool_name: "level", input: { a: 1 }, tool_use_id: TOOL_USE, turn_id: session.turnId },
  ]);
  answer(session, { text: "High.", id: "a" });
  expect(results(session)).toEqual([{ content: [{ type: "text", text: "High." }] }]);
  expect(session.last).toMatchObject({ type: "control_request_resolved", in_reply_to: "a" });
});

test("blocks and failures go to Claude as MCP has them", async () => {
  const session = await inCall();
  const content = [{ type: "image", data: "aGk=", mimeType: "image/png" }];
  answer(session, { content, is_error: true });
  expect(results(session)).toEqual([{ content, isError: true }]);
});

test("a second answer is stale, and an answer to no call is unknown", async () => {
  const session = await inCall();
  answer(session);
  answer(session);
  expect(session.last).toMatchObject({ code: "stale_request", request_id: idOf(session) });
  session.session.handleProgramAnswer({ type: "host_tool_answer", request_id: "none", text: "" });
  expect(session.last).toMatchObject({ code: "unknown_request" });
  expect(results(session)).toHaveLength(1);
});

test("a call that Claude cancels is closed and not answered", async () => {
  const session = await inCall();
  session.interrupt();
  const params = { requestId: 2, reason: "user" };
  await session.say(mcpLine("c", { method: "notifications/cancelled", params }));
  expect(closings(session)).toEqual(["interrupted"]);
  expect(results(session)).toEqual([{}]);
});

test("a call that is open at the end of its turn is given up on both sides", async () => {
  const session = await inCall();
  await session.say(resultLine());
  expect(closings(session)).toEqual(["withdrawn"]);
  expect(results(session)).toMatchObject([{ isError: true }]);
});

test("a call of which nothing was printed belongs to no turn and outlives it", async () => {
  const session = await start();
  session.message("send an agent");
  await session.say(callLine(), resultLine());
  expect(session.of("host_tool_request")[0]).not.toHaveProperty("turn_id");
  expect(closings(session)).toEqual([]);
  answer(session);
  expect(closings(session)).toEqual(["answered"]);
});

test("a call without an answer in time fails for Claude", async () => {
  const session = await inCall({ timeout_ms: 5_000 });
  session.clock.advance(5_000);
  expect(closings(session)).toEqual(["timeout"]);
  expect(results(session)).toMatchObject([{ isError: true }]);
  answer(session);
  expect(session.last).toMatchObject({ code: "stale_request" });
});

test("a call is closed before the exit of its process, and its late answer is stale", async () => {
  const session = await inCall();
  await session.crash();
  const types = session.emitted.map(({ type }) => type);
  expect(closings(session)).toEqual(["exited"]);
  expect(types.indexOf("control_request_cancel")).toBeLessThan(types.indexOf("process_exit"));
  answer(session);
  expect(session.last).toMatchObject({ code: "stale_request" });
});

test("an open call is given up before Claude's stdin is closed", async () => {
  const session = await inCall();
  void session.session.shutdown(false);
  await session.settle();
  expect(closings(session)).toEqual(["interrupted"]);
  expect(results(session)).toMatchObject([{ isError: true }]);
  await session.exit();
});

test("a call of a tool that is gone, and one too many, fail without asking the host", async () => {
  const session = await start();
  await session.say(callLine("u", 2, "gone"));
  expect(results(session)).toMatchObject([{ isError: true }]);
  for (let at = 0; at < 1025; at += 1) await session.say(callLine(`u${at}`, at));
  expect(session.of("host_tool_request")).toHaveLength(1024);
  expect(results(session)).toHaveLength(2);
});

test("the same request again is not asked again", async () => {
  const session = await inCall();
  await session.say(callLine());
  expect(session.of("host_tool_request")).toHaveLength(1);
});

const LIST = mcpLine("l", { id: 1, method: "tools/list" });
const OTHER: HostTool = { ...TOOL, name: "tide" };

async function withList(version: string): Promise<TestSession> {
  const session = await start({}, { isReady: false });
  await session.initialize({ claude_code_version: version });
  await session.say(LIST);
  return session;
}

const replace = (session: TestSession, ...tools: HostTool[]) =>
  session.session.handleHostTools({ type: "host_tools", tools, id: "t" });

test("2.1.330 gets notice that the list has changed, and reads the new one", async () => {
  const session = await withList("2.1.330");
  replace(session, OTHER);
  expect(session.last).toMatchObject({ type: "control_result", ok: true, in_reply_to: "t" });
  const message = { method: "notifications/tools/list_changed" };
  expect(session.requestOf("mcp_message")["request"]).toMatchObject({ message });
  await session.say({ ...LIST, request_id: "m" });
  expect(results(session).at(-1)).toMatchObject({ tools: [{ name: "tide" }] });
});

test("an older Claude loses the server and gets it again, when no call is open", async () => {
  const session = await withList("2.1.197");
  await session.say(callLine());
  replace(session, OTHER);
  expect(session.requestsOf("mcp_set_servers")).toEqual([]);
  answer(session);
  const host = { type: "sdk", name: "host" };
  expect(session.requestsOf("mcp_set_servers")).toMatchObject([
    { request: { servers: {} } },
    { request: { servers: { host } } },
  ]);
});

test("an older Claude keeps the server in a turn, which may have more calls of one message", async () => {
  const session = await withList("2.1.197");
  session.message("how high are they?");
  await session.say(callLine());
  replace(session, OTHER);
  answer(session);
  expect(session.requestsOf("mcp_set_servers")).toEqual([]);
  await session.say(resultLine());
  expect(session.requestsOf("mcp_set_servers")).toHaveLength(2);
});

test("a list that Claude has not read is replaced without a word to it", async () => {
  const session = await start();
  replace(session, OTHER);
  expect(session.requestsOf("mcp_message")).toEqual([]);
  expect(session.requestsOf("mcp_set_servers")).toEqual([]);
});

test("the next process has the new list", async () => {
  const session = await start();
  replace(session, { ...OTHER, permission: "allow" });
  await session.crash();
  await session.restart();
  expect(session.flags).toContain("--allowed-tools=mcp__host__tide");
  await session.say(LIST);
  expect(results(session)).toMatchObject([{ tools: [{ name: "tide" }] }]);
});

test("tools cannot be replaced in a session that has declared none", async () => {
  const session = await startSession();
  replace(session, OTHER);
  expect(session.last).toMatchObject({ type: "control_result", subtype: "host_tools", ok: false });
});

test("the server of the tools is added to the servers that the host sets, and cannot be one of them", async () => {
  const session = await start();
  session.control("mcp_set_servers", { servers: { a: { command: "x" } } });
  const host = { type: "sdk", name: "host" };
  expect(session.requestOf("mcp_set_servers")["request"]).toMatchObject({
    servers: { a: { command: "x" }, host },
  });
  session.control("mcp_set_servers", { servers: { host: { command: "x" } }, id: "s" });
  expect(session.last).toMatchObject({ type: "control_result", ok: false });
  await session.answerTo("mcp_set_servers");
});
