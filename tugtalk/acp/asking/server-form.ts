/** The form of an MCP server, or its page to visit, as the client is shown it. Pure. */
import type { ElicitationPrompt, FormField } from "../../client/prompt-models.ts";

/** With the fields of its form. */
export type ServerForm = ElicitationPrompt & { readonly fields: readonly FormField[] };

/** Nobody is to take a server's question for one of Claude's. */
export function messageOf({ serverName, message }: ElicitationPrompt): string {
  return `${serverName}: ${message}`;
}

/** The id of a visit to a page, which no visit of another session has. */
export function visitId(sessionId: string, server: string, elicitationId: string): string {
  return [sessionId, server, elicitationId].join("/");
}
