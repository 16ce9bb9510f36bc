/** The table of commands: one entry for each name of `HOST_ROUTES`. */
import type { CommandTable } from "../api/command.ts";
import type { CommandPorts } from "./command-ports.ts";
import { hostCommands } from "./commands-host.ts";
import { messageCommands } from "./commands-messages.ts";
import { aliasCommands, promptCommands } from "./commands-prompts.ts";
import { rewindCommands } from "./commands-rewind.ts";
import { searchCommands } from "./commands-search.ts";
import { sessionCommands } from "./commands-sessions.ts";
import { createSession, moveSession } from "./new-session.ts";

export function openCommands(ports: CommandPorts): CommandTable {
  const { sessions } = ports;
  return {
    ...sessionCommands(sessions, {
      create: (fields) => createSession(ports, fields),
      move: (fields) => moveSession(ports, fields),
    }),
    ...messageCommands(sessions),
    ...rewindCommands(sessions),
    ...promptCommands(sessions),
    ...aliasCommands(sessions),
    ...hostCommands(ports),
    ...searchCommands(ports),
  };
}
