/** The command that searches in what was said and done in all sessions. */
import { z } from "zod";
import type { SearchHit } from "../../client/host-api.ts";
import { command, ok } from "../api/command.ts";
import type { CommandPorts } from "./command-ports.ts";

const Search = z.strictObject({
  q: z.string().max(500),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  before: z.coerce.number().int().positive().optional(),
});

export function searchCommands({ sessions, journal }: Pick<CommandPorts, "sessions" | "journal">) {
  return {
    search: command(Search, async ({ q, ...page }) => {
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
