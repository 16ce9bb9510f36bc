/** The table of commands: one entry for each name of `HOST_ROUTES`. */
import type { CommandTable } from "../api/command.ts";
import type { CommandPorts } from "./command-ports.ts";
import { hostCommands } from "./commands-host.ts";
import { messageCommands } from "./commands-messages.ts";
import { aliasCommands, promptCommands } from "./commands-prompts.ts";
import { sessionCommands } from "./commands-sessions.ts";
import { createSession } from "./new-session.ts";

export function openCommands(ports: CommandPorts): CommandTable {
  const { sessions } = ports;
  return {
    ...sessionCommands(sessions, (fields) => createSession(ports, fields)),
    ...messageCommands(sessions),
    ...promptCommands(sessions),
    ...aliasCommands(sessions),
    ...hostCommands(ports),
  };
}
