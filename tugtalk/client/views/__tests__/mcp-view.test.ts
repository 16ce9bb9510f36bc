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
  expect(view).toEqual([
    {
      name: "my__tide",
      status: "connected",
      tools: ["mcp__my__tide__ask", "mcp__my__tide__level", "mcp__my__tide__wait"],
      toolNames: [
        { name: "mcp__my__tide__ask", label: "ask", server: "my__tide" },
        { name: "mcp__my__tide__level", label: "level", server: "my__tide" },
        { name: "mcp__my__tide__wait", label: "wait", server: "my__tide" },
      ],
      scope: "dynamic",
      version: "1.0.0",
    },
    {
      name: "sea side",
      status: "connected",
      tools: ["mcp__sea_side__ask", "mcp__sea_side__level", "mcp__sea_side__wait"],
      toolNames: [
        { name: "mcp__sea_side__ask", label: "ask", server: "sea side" },
        { name: "mcp__sea_side__level", label: "level", server: "sea side" },
        { name: "mcp__sea_side__wait", label: "wait", server: "sea side" },
      ],
      scope: "dynamic",
      version: "1.0.0",
    },
  ]);
});

test("an MCP server that failed has its state and no tools", async () => {
  const view = viewMcpServers(await reduceCapture("2.1.330/tool_mcp_bad_server"));
  expect(view).toEqual([{ name: "bad", status: "failed", tools: [], toolNames: [] }]);
});
