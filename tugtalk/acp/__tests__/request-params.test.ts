/** The requests that clients send are checked without a schema, and as their schemas check them. */
import { expect, test } from "bun:test";
import { PLAIN_REQUESTS } from "../plain-checks.generated.ts";
import { paramsOf } from "../request-params.ts";
import { REQUESTS } from "../request-schemas.ts";

const BLOCKS = [
  { type: "text", text: "x", annotations: null },
  { type: "image", data: "aGVsbG8=", mimeType: "image/png", uri: null },
  { type: "resource_link", uri: "file:///a", name: "a" },
  { type: "resource", resource: { uri: "file:///a", text: "x" } },
];

const NAMED = [{ name: "A", value: "b" }];
const SERVERS = [
  { name: "local", command: "node", args: ["a.mjs"], env: NAMED },
  { type: "http", name: "far", url: "https://example.com", headers: NAMED },
];

test.each([
  ["initialize", { protocolVersion: 1, clientCapabilities: { fs: {} }, clientInfo: {} }],
  ["newSession", { cwd: "/a", mcpServers: [], _meta: null }],
  ["newSession", { cwd: "/a", mcpServers: SERVERS }],
  ["existingSession", { sessionId: "s", cwd: "/a", mcpServers: [], additionalDirectories: ["/b"] }],
  ["ofSession", { sessionId: "s", _meta: {} }],
  ["listSessions", {}],
  ["prompt", { sessionId: "s", prompt: BLOCKS, _meta: { any: 1 } }],
  ["setMode", { sessionId: "s", modeId: "plan" }],
  ["setConfigOption", { sessionId: "s", configId: "fast", value: true }],
] as const)("parameters of %s are plain, and checked as their schema does: %j", (name, params) => {
  expect(PLAIN_REQUESTS.get(name)?.(params)).toBe(true);
  expect(paramsOf(name, params)).toMatchObject(Object(REQUESTS[name].parse(params)));
});

test.each([
  ["newSession", { cwd: "a", mcpServers: [] }, "cwd: must be an absolute path"],
  ["newSession", { cwd: "/a\0", mcpServers: [] }, "cwd: must be an absolute path"],
  ["prompt", { sessionId: "s", prompt: [{ type: "text", text: 7 }] }, "prompt.0.text: "],
] as const)("%s of %j is refused in words", (name, params, words) => {
  expect(() => paramsOf(name, params)).toThrow(words);
});

test("a resource with null fields of the other kind is read by its schema", () => {
  const resource = { uri: "file:///a.png", blob: "aGVsbG8=", mimeType: "image/png" };
  const prompt = [{ type: "resource", resource: { ...resource, text: null } }];
  expect(paramsOf("prompt", { sessionId: "s", prompt }).prompt).toEqual([
    { type: "resource", resource },
  ]);
});
