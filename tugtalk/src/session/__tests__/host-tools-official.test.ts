/**
 * The server of the host's tools beside the official package of MCP: its client, which refuses the same
 * answers as Claude, its server, and its schemas.
 */
import { expect, onTestFinished, test } from "bun:test";
import { Client, type ClientOptions } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  CallToolResultSchema,
  ErrorCode,
  type JSONRPCMessage,
  ListToolsResultSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import packageJson from "../../../../package.json" with { type: "json" };
import { failureOf } from "../../../testing/drivers/failure.ts";
import { McpTransport } from "../../../testing/drivers/mcp-transport.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { type Fields, fieldsOf } from "../../base/json.ts";
import { callResult, readMcpMessage } from "../../claude/host-mcp.ts";
import { type HostTool, HostToolAnswer, hostToolList } from "../../messages/host-tool-messages.ts";

const LEVEL: HostTool = {
  name: "level",
  description: "The level of the water.",
  input_schema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { place: { type: "string" }, any: {} },
    required: ["place"],
    additionalProperties: false,
  },
};
const { name, description, input_schema: inputSchema } = LEVEL;
const CALL = { name, arguments: { place: "the weir" } };
const CAPABILITIES = { tools: { listChanged: true } };

type Connected = {
  readonly session: TestSession;
  readonly client: Client;
  readonly transport: McpTransport;
};

async function start(tools: readonly unknown[] = [LEVEL]): Promise<TestSession> {
  const host_tools = hostToolList.parse(tools);
  const session = await startSession({ init: { options: { host_tools } }, isReady: false });
  await session.initialize({ claude_code_version: "2.1.330" });
  return session;
}

/** A session, and an official client in the place of Claude's. */
async function connect(
  tools?: readonly unknown[],
  options: ClientOptions = {},
): Promise<Connected> {
  const session = await start(tools);
  const transport = new McpTransport(session.claude());
  const client = new Client({ name: "claude-code", version: "2.1.330" }, options);
  const complaints: string[] = [];
  client.onerror = ({ message }) => complaints.push(message);
  onTestFinished(async () => {
    await client.close();
    // Claude, too, gives its client the answer to a notification, which it knows nothing of.
    const received = `unknown message ID: ${JSON.stringify({ jsonrpc: "2.0", id: 0, result: {} })}`;
    expect(complaints.filter((complaint) => !complaint.endsWith(received))).toEqual([]);
  });
  await client.connect(transport);
  return { session, client, transport };
}

/** The host answers a call, by default the newest. */
async function answer(
  { session, transport }: Connected,
  fields: Fields,
  call = session.of("host_tool_request").at(-1),
): Promise<void> {
  const message = { type: "host_tool_answer", request_id: call?.["request_id"], ...fields };
  session.session.handleProgramAnswer(HostToolAnswer.parse(message));
  await transport.deliver();
}

/** Makes a call; resolves with its promise when the host has it. */
async function call(connected: Connected, input: Fields = CALL.arguments, signal?: AbortSignal) {
  const params = { ...CALL, arguments: input };
  const result = connected.client.callTool(params, undefined, signal && { signal });
  await connected.session.settle();
  return { result };
}

/** The first answer to one message that no client has checked. */
function ask(transport: Transport, message: object): Promise<Fields> {
  const { promise, resolve } = Promise.withResolvers<Fields>();
  transport.onmessage = (answered) => resolve(fieldsOf(answered));
  void transport.send({ jsonrpc: "2.0", id: "q", ...message } as JSONRPCMessage);
  return promise;
}

/** A transport to a server of the official package, with one tool. */
async function officialServer(): Promise<Transport> {
  const server = new Server({ name: "official", version: "1" }, { capabilities: CAPABILITIES });
  server.setRequestHandler(CallToolRequestSchema, () => ({ content: [] }));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  onTestFinished(() => server.close());
  return ours;
}

test("the official client connects, and knows the name and version of the server", async () => {
  const { client } = await connect();
  expect(client.getServerVersion()).toEqual({ name: "tugtalk", version: packageJson.version });
  expect(client.getServerCapabilities()).toEqual(CAPABILITIES);
  expect(await client.ping()).toEqual({});
});

test.each([...SUPPORTED_PROTOCOL_VERSIONS, "2099-01-01"])(
  "a client that asks for version %s is answered in the version that the official server has for it",
  async (protocolVersion) => {
    const clientInfo = { name: "c", version: "1" };
    const params = { protocolVersion, capabilities: {}, clientInfo };
    const versionOf = async (transport: Transport) =>
      fieldsOf((await ask(transport, { method: "initialize", params }))["result"])[
        "protocolVersion"
      ];
    const official = await versionOf(await officialServer());
    expect(official).toBeString();
    expect(await versionOf(new McpTransport((await start()).claude()))).toBe(official);
  },
);

test("the client has each tool as the host declares it", async () => {
  const annotations = {
    title: "Level",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  };
  const { client } = await connect([
    LEVEL,
    { ...LEVEL, name: "tide", annotations, deferred: true, permission: "allow", timeout_ms: 1 },
  ]);
  expect<unknown>(await client.listTools()).toEqual({
    tools: [
      { name, description, inputSchema, _meta: { "anthropic/alwaysLoad": true } },
      { name: "tide", description, inputSchema, annotations },
    ],
  });
});

test("a session may have no tools", async () => {
  const { client } = await connect([]);
  expect(await client.listTools()).toEqual({ tools: [] });
});

const IMAGE = { type: "image", data: "aGk=", mimeType: "image/png" };
const TEXT = { type: "text", text: "High. \u2028 \u{1f30a}" };

test.each<[what: string, fields: Fields, expected: Fields]>([
  ["a text", { text: TEXT.text }, { content: [TEXT] }],
  ["blocks", { content: [TEXT, IMAGE] }, { content: [TEXT, IMAGE] }],
  ["no block", { content: [] }, { content: [] }],
  ["nothing", {}, { content: [] }],
  ["a failure", { text: TEXT.text, is_error: true }, { content: [TEXT], isError: true }],
])("the client gets %s of the host's as it is", async (_what, fields, expected) => {
  const connected = await connect();
  const { result } = await call(connected);
  expect(connected.session.of("host_tool_request")).toMatchObject([{ input: CALL.arguments }]);
  await answer(connected, fields);
  expect<unknown>(await result).toEqual(expected);
});

test("calls that are open at once get each its own answer", async () => {
  const connected = await connect();
  const places = ["weir", "lock", "mouth"];
  const results = [];
  for (const place of places) results.push((await call(connected, { place })).result);
  for (const asked of connected.session.of("host_tool_request").toReversed())
    await answer(connected, { text: String(fieldsOf(asked["input"])["place"]) }, asked);
  const texts = (await Promise.all(results)).map(({ content }) => content);
  expect(texts).toEqual(places.map((text) => [{ type: "text", text }]));
});

test("a call that the client aborts is closed for the host, whose late answer the client never sees", async () => {
  const connected = await connect();
  const { session, client } = connected;
  const controller = new AbortController();
  const { result } = await call(connected, CALL.arguments, controller.signal);
  controller.abort("the user has gone");
  expect((await failureOf(result)).message).toContain("the user has gone");
  await session.settle();
  expect(session.of("control_request_cancel")).toMatchObject([{ reason: "withdrawn" }]);
  await answer(connected, { text: "High." });
  expect(session.last).toMatchObject({ code: "stale_request" });
  expect(await client.ping()).toEqual({});
});

test("a call that the host does not answer in time fails for the client", async () => {
  const connected = await connect([{ ...LEVEL, timeout_ms: 5_000 }]);
  const { result } = await call(connected);
  connected.session.clock.advance(5_000);
  await connected.transport.deliver();
  expect(await result).toMatchObject({ isError: true });
});

test("a client that has read the list gets notice of another list, reads it, and cannot call a tool that is gone", async () => {
  const changed = Promise.withResolvers<readonly Tool[] | null>();
  const onChanged = (error: Error | null, tools: Tool[] | null) =>
    error === null ? changed.resolve(tools) : changed.reject(error);
  const { session, client, transport } = await connect([LEVEL], {
    listChanged: { tools: { onChanged, debounceMs: 0 } },
  });
  await client.listTools();
  session.session.handleHostTools({ type: "host_tools", tools: [{ ...LEVEL, name: "tide" }] });
  await transport.deliver();
  expect(await changed.promise).toMatchObject([{ name: "tide" }]);
  expect(await client.callTool(CALL)).toMatchObject({ isError: true });
  expect(session.of("host_tool_request")).toEqual([]);
});

test("a method that there is not is refused with the code of MCP", async () => {
  const { client } = await connect();
  expect(await failureOf(client.listPrompts())).toMatchObject({ code: ErrorCode.MethodNotFound });
});

test.each<object>([
  {},
  { params: {} },
  { params: { name: 1 } },
  { params: { name, arguments: "the weir" } },
  { params: { name, arguments: ["the weir"] } },
  { params: { name, arguments: null } },
])(
  "a call that the official server refuses is refused and never the host's: %j",
  async (fields) => {
    const message = { method: "tools/call", ...fields };
    expect(await ask(await officialServer(), message)).toHaveProperty("error");
    const session = await start();
    const answered = await ask(new McpTransport(session.claude()), message);
    expect(answered).toMatchObject({ id: "q", error: { code: ErrorCode.InvalidParams } });
    expect(session.of("host_tool_request")).toEqual([]);
  },
);

const schema = (fields: object) => ({ input_schema: { type: "object", ...fields } });

test.each<object>([
  { input_schema: {} },
  { input_schema: { type: "string" } },
  schema({ properties: { place: true } }),
  schema({ properties: { place: "string" } }),
  schema({ properties: "place" }),
  schema({ properties: null }),
  schema({ required: "place" }),
  schema({ required: [1] }),
  { annotations: { title: 1 } },
  ...["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"].map((hint) => ({
    annotations: { [hint]: "yes" },
  })),
])("a tool with which the client refuses the whole list is refused to the host: %j", (fields) => {
  const tool = { ...LEVEL, ...fields };
  const listed = readMcpMessage({ id: 1, method: "tools/list" }, [tool], "1");
  const { result } = fieldsOf(fieldsOf(listed)["answer"]);
  expect(ListToolsResultSchema.safeParse(result).success).toBe(false);
  expect(hostToolList.safeParse([tool]).success).toBe(false);
});

test.each([
  ["text in the URL alphabet", "a-_b"],
  ["text that is not base64", "!!"],
  ["an incomplete group", "aGkAa"],
])(
  "an image with which the client refuses the result is refused to the host: %s",
  (_what, data) => {
    const content = [{ ...IMAGE, data }];
    const { result } = callResult(1, content, false);
    expect(CallToolResultSchema.safeParse(result).success).toBe(false);
    const message = { type: "host_tool_answer", request_id: "r", content };
    expect(HostToolAnswer.safeParse(message).success).toBe(false);
  },
);
