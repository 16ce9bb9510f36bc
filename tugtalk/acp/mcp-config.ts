/** The client's MCP servers in the form that Claude takes. Pure. */
import { AcpError } from "./json-rpc.ts";
import type { McpServer } from "./request-schemas.ts";

type Config = { readonly mcpServers: Readonly<Record<string, object>> };

/** Throws -32602 for a second server of one name. */
export function mcpConfig(servers: readonly McpServer[]): Config {
  const names = servers.map(({ name }) => name);
  const second = names.findIndex((name, index) => names.indexOf(name) < index);
  if (second !== -1) {
    const field = `mcpServers.${second}.name`;
    throw new AcpError("invalidParams", `${field}: an earlier server is named ${names[second]}`);
  }
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
