/** Names of MCP tools: `mcp__<server>__<tool>`. */

/** Whether this is the full name of a tool of the MCP server. */
export function isToolOf(server: string, toolName: string): boolean {
  return toolName.startsWith(`mcp__${server.replace(/[^a-zA-Z0-9_-]/g, "_")}__`);
}
