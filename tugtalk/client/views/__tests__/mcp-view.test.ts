/** The MCP servers, filled from a session with a real Claude 2.1.330. */
import { expect, test } from "bun:test";
import {
  realSession,
  reduceCapture,
  reduceMessages,
} from "../../../testing/captures/reduced-capture.ts";
import { viewMcpServers } from "../mcp-view.ts";

test("the status of MCP servers has their tools under short names, whatever the servers are called", async () => {
  const view = viewMcpServers(reduceMessages(await realSession("2.1.330-form")));
  const tools = (server: string, prefix: string) =>
    ["ask", "level", "wait"].map((label) => ({ name: `${prefix}${label}`, label, server }));
  const common = { status: "connected", scope: "dynamic", version: "1.0.0" };
  expect(view).toMatchObject([
    { name: "my__tide", toolNames: tools("my__tide", "mcp__my__tide__"), ...common },
    { name: "sea side", toolNames: tools("sea side", "mcp__sea_side__"), ...common },
  ]);
});

test("an MCP server that failed has its state and no tools", async () => {
  const view = viewMcpServers(await reduceCapture("2.1.330/tool_mcp_bad_server"));
  expect(view).toEqual([{ name: "bad", status: "failed", tools: [], toolNames: [] }]);
});
