/** The form of an MCP server, and its message. Pure. */
import type { ElicitationPrompt, FormField } from "../../client/prompt-models.ts";

/** With the fields of its form. */
export type AskedForm = ElicitationPrompt & { readonly fields: readonly FormField[] };

/** Nobody is to take a server's question for one of Claude's. */
export function messageOf({ serverName, message }: ElicitationPrompt): string {
  return `${serverName}: ${message}`;
}
