/** The client's MCP servers in the form that Claude takes. Pure. */
import type { McpServer } from "./request-schemas.ts";

type Config = { readonly mcpServers: Readonly<Record<string, object>> };

export function mcpConfig(servers: readonly McpServer[]): Config {
  return {
    mcpServers: Object.fromEntries(servers.map((server) => [server.name, configOf(server)])),
  };
}

function configOf(server: McpServer): object {
  if (server.type === "http" || server.type === "sse") {
    const { type, url, headers } = server;
    return { type, url, headers: byName(headers) };
  }
  const { command, args, env } = server;
  return { type: "stdio", command, args, env: byName(env) };
}

function byName(pairs: readonly { readonly name: string; readonly value: string }[]) {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
