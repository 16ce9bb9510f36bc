/** The MCP servers of a session. Pure. */

import { type Fields, filledText, objectOf, objectsOf, present } from "../claude-value.ts";
import type { McpServerStatus, ReducedSession } from "../reduced-session.ts";
import type { McpServerView } from "../web-components.ts";
import { viewToolName } from "./tool-name.ts";

/** Each server with its report in the answer to `mcp_status`, if the host has sent that control request. */
export function viewMcpServers({
  mcpServers,
  controlResponses,
}: Pick<ReducedSession, "mcpServers" | "controlResponses">): McpServerView[] {
  const reports = objectsOf(controlResponses["mcp_status"]?.["mcpServers"]);
  return mcpServers.map((server) =>
    viewServer(
      server,
      reports.find(({ name }) => name === server.name),
    ),
  );
}

function viewServer(server: McpServerStatus, report: Fields | undefined): McpServerView {
  return {
    ...server,
    toolNames: server.tools.map((name) => viewToolName(name, [server])),
    ...present({
      scope: filledText(report?.["scope"]),
      version: filledText(objectOf(report?.["serverInfo"])?.["version"]),
      error: filledText(report?.["error"]),
    }),
  };
}
