#!/usr/bin/env bun
/**
 * A tiny MCP server over stdio, for a real `claude` to call: `level` answers at once, `wait` when the
 * address that it is given has answered. Run it with `mcpServer()` as its configuration.
 */
import { createInterface } from "node:readline";

type Request = {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
};

/** The configuration that starts this file as a server. */
export function mcpServer(): { type: "stdio"; command: string; args: string[] } {
  return { type: "stdio", command: process.execPath, args: [import.meta.path] };
}

const TOOLS = [tool("level", "place", "The level of the water."), tool("wait", "url", "Waits.")];

function tool(name: string, argument: string, description: string): object {
  const properties = { [argument]: { type: "string" } };
  return { name, description, inputSchema: { type: "object", properties, required: [argument] } };
}

async function answer({ method, params = {} }: Request): Promise<object> {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params["protocolVersion"],
        capabilities: { tools: {} },
        serverInfo: { name: "tide", version: "1.0.0" },
      };
    case "tools/list":
      return { tools: TOOLS };
    case "tools/call":
      return { content: [{ type: "text", text: await callTool(params) }] };
    default:
      return {};
  }
}

async function callTool(params: Readonly<Record<string, unknown>>): Promise<string> {
  const given = (params["arguments"] ?? {}) as Readonly<Record<string, unknown>>;
  if (params["name"] === "level") return `high at ${given["place"]}`;
  return (await fetch(String(given["url"]))).text();
}

async function serve(line: string): Promise<void> {
  const request = JSON.parse(line) as Request;
  if (request.id === undefined) return;
  const result = await answer(request);
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, result })}\n`);
}

if (import.meta.main) {
  for await (const line of createInterface({ input: process.stdin })) void serve(line);
}
