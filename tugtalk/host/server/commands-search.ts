/** The command that searches the texts and tool calls of all sessions. */
import type { SearchHit } from "../../client/host-api.ts";
import { command, ok } from "../api/command.ts";
import { COMMAND_FIELDS } from "../fields/command-fields.ts";
import type { CommandPorts } from "./command-ports.ts";

export function searchCommands({ sessions, journal }: Pick<CommandPorts, "sessions" | "journal">) {
  return {
    search: command(COMMAND_FIELDS.search, async ({ q, ...page }) => {
      const { hits, isPartial, before } = await journal.search({ text: q, ...page });
      const titles = new Map(sessions.list().map(({ id, title }) => [id, title]));
      const titled: readonly SearchHit[] = hits.flatMap((hit) => {
        const title = titles.get(hit.session);
        return title === undefined ? [] : [{ ...hit, title }];
      });
      return ok({
        hits: titled,
        ...(before !== undefined && { before }),
        ...(isPartial && { partial: true }),
      });
    }),
  };
}
