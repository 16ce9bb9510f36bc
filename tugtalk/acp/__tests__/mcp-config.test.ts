/** The client's MCP servers as Claude takes them. */
import { expect, test } from "bun:test";
import { mcpConfig } from "../mcp-config.ts";

test("servers over stdio, HTTP and SSE are passed on with their environment and headers", () => {
  const headers = [{ name: "X-Key", value: "k" }];
  const url = "http://127.0.0.1:1/mcp";
  const config = mcpConfig([
    { name: "local", command: "/bin/server", args: ["-v"], env: [{ name: "KEY", value: "k" }] },
    { name: "web", type: "http", url, headers },
    { name: "events", type: "sse", url, headers: [] },
  ]);
  expect(config.mcpServers).toEqual({
    local: { type: "stdio", command: "/bin/server", args: ["-v"], env: { KEY: "k" } },
    web: { type: "http", url, headers: { "X-Key": "k" } },
    events: { type: "sse", url, headers: {} },
  });
});
