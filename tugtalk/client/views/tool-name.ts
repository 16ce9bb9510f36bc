/** Names of tools for people. Pure. */

import { present } from "../claude-value.ts";
import { toolPrefix } from "../mcp-tool-names.ts";
import type { ToolName } from "../prompt-models.ts";
import { showHidden } from "./visible-text.ts";

/** An MCP server, whose name is in the names of its tools. */
export type Server = { readonly name: string };

/**
 * Splits `mcp__server__tool`. With the servers of the session the split is exact; a name of a server
 * that is not among them ends at the first `__`.
 */
export function viewToolName(name: string, servers: readonly Server[] = []): ToolName {
  const { label, server } = partsOf(name, servers);
  return { name, label: showHidden(label), ...present({ server: server && showHidden(server) }) };
}

type Parts = { readonly label: string; readonly server?: string | undefined };

function partsOf(name: string, servers: readonly Server[]): Parts {
  if (!name.startsWith("mcp__")) return { label: name };
  const [known] = servers
    .filter((server) => `${name}__`.startsWith(toolPrefix(server.name)))
    .sort((one, other) => other.name.length - one.name.length);
  if (known === undefined) return splitName(name);
  return { label: name.slice(toolPrefix(known.name).length) || name, server: known.name };
}

function splitName(name: string): Parts {
  const [server, ...rest] = name.slice("mcp__".length).split("__");
  return { label: rest.join("__") || name, server: server || undefined };
}
