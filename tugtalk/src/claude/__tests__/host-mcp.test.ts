/** The server of the host's tools: its answer to each message of Claude. */
import { expect, test } from "bun:test";
import { readMcpMessage } from "../host-mcp.ts";

const TOOL = { name: "level", description: "The level.", input_schema: { type: "object" } };

const read = (message: object) => readMcpMessage({ jsonrpc: "2.0", ...message }, [TOOL], "1.2.3");
const answered = (result: object, id: string | number = 1) => ({
  kind: "answer",
  answer: { jsonrpc: "2.0", id, result },
});

test("a client is answered in the version of MCP that it asks for", () => {
  const params = { protocolVersion: "2025-06-18", capabilities: {} };
  expect(read({ id: 1, method: "initialize", params })).toMatchObject(
    answered({
      protocolVersion: "2025-06-18",
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "tugtalk", version: "1.2.3" },
    }),
  );
});

test("the tools are listed as MCP has them, and loaded at once unless they are deferred", () => {
  const { name, description, input_schema: inputSchema } = TOOL;
  const listed = { name, description, inputSchema };
  const _meta = { "anthropic/alwaysLoad": true };
  const annotations = { readOnlyHint: true };
  const list = { id: 1, method: "tools/list" };
  expect(read(list)).toMatchObject(answered({ tools: [{ ...listed, _meta }] }));
  const deferred = { ...TOOL, deferred: true, annotations };
  expect(JSON.stringify(readMcpMessage(list, [deferred], "1"))).toBe(
    JSON.stringify({ ...answered({ tools: [{ ...listed, annotations }] }), to: "tools/list" }),
  );
});

test.each([
  ["a ping is answered", { id: "p", method: "ping" }, answered({}, "p")],
  [
    "an unknown method is refused as MCP says",
    { id: 1, method: "prompts/list" },
    { kind: "answer", answer: { id: 1, error: { code: -32601 } } },
  ],
  [
    "a notification is received",
    { method: "notifications/initialized" },
    { kind: "answer", answer: { result: {} } },
  ],
  [
    "a cancelled call is named",
    { method: "notifications/cancelled", params: { requestId: 7, reason: "x" } },
    { kind: "cancelled", id: 7 },
  ],
  [
    "a cancellation that names no call cancels nothing",
    { method: "notifications/cancelled", params: {} },
    { kind: "answer" },
  ],
  [
    "a call without input or id of its tool use has an empty input",
    { id: 2, method: "tools/call", params: { name: "level" } },
    { kind: "call", id: 2, name: "level", input: {}, toolUseId: undefined },
  ],
  [
    "a call has its input and the id of its tool use",
    {
      id: 2,
      method: "tools/call",
      params: { name: "x", arguments: { a: 1 }, _meta: { "claudecode/toolUseId": "t" } },
    },
    { kind: "call", name: "x", input: { a: 1 }, toolUseId: "t" },
  ],
])("%s", (_name, message, expected) => {
  expect(read(message)).toMatchObject(expected);
});
