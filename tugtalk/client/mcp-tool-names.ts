/** The names of MCP tools. */

/** The start of the names of a server's tools. Claude replaces all other characters of a server's name. */
export function toolPrefix(server: string): string {
  return `mcp__${server.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}__`;
}
