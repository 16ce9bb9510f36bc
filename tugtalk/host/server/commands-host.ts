/** Commands about what is around the sessions: files, folders, Claude's own history, the host itself. */
import { isAbsolute } from "node:path";
import { z } from "zod";
import type { SessionInfo } from "../../client/host-api.ts";
import { PAGE_SIZES } from "../../src/messages/history-messages.ts";
import { ApiError, badField } from "../api/api-error.ts";
import { type CommandAnswer, command, ok, TextBody } from "../api/command.ts";
import { LOCAL, SIMULATOR } from "../bridges/places.ts";
import { EXPORT_TYPES, exportPieces } from "../export/export-session.ts";
import { completeFiles } from "../files/completion.ts";
import { listFolders } from "../files/folder-list.ts";
import { name, ofSession } from "./command-fields.ts";
import type { CommandPorts, HostDefaults } from "./command-ports.ts";
import { dailyCosts, earliestOf, firstDay, isTimeZone, ownTimeZone } from "./daily-costs.ts";
import { chosenFolder } from "./new-session.ts";

/** How many of the folders that were used last are shown. */
const RECENT_DIRS = 20;

const MAX_COST_DAYS = 366;

const History = z.strictObject({
  dir: name.optional(),
  place: name.optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_SIZES.sessions.max).optional(),
  before: name.optional(),
});

const Costs = z.strictObject({
  days: z.coerce.number().int().min(1).max(MAX_COST_DAYS).default(30),
  time_zone: name.refine(isTimeZone, "is not known").optional(),
});

export function hostCommands(ports: CommandPorts) {
  const { sessions, journal, config } = ports;
  return {
    files: command(
      z.strictObject({ ...ofSession, q: z.string().max(1000).default("") }),
      (fields) => findFiles(ports, fields.id, fields.q),
    ),
    export: command(
      z.strictObject({ ...ofSession, format: z.enum(["md", "json"]).default("md") }),
      async ({ id, format }) => {
        const session = await sessions.readable(id);
        return ok(new TextBody(EXPORT_TYPES[format], () => exportPieces(session, format)));
      },
    ),
    dirs: command(z.strictObject({ path: name.optional() }), async ({ path = config.dir }) =>
      ok({ ...(await listFolders(path)), recent: recentDirs(sessions.list()) }),
    ),
    history: command(History, async ({ dir, place = config.place, ...page }) => {
      const where = { place, dir: chosenFolder(config, place, dir) };
      const { sessions: past, next } = await ports.pastSessions(where, page);
      return ok({ sessions: past, ...(next !== undefined && { next }) });
    }),
    costs: command(Costs, (fields) => costsOf(ports, fields)),
    sizes: command(z.strictObject({}), async () => ok({ sizes: await journal.sizes() })),
    backup: command(z.strictObject({ file: name }), async ({ file }) => {
      if (!isAbsolute(file)) throw badField("file", "must be an absolute path");
      await journal.backUp(file);
      return ok({ status: "ok" });
    }),
    revoke: command(z.strictObject({}), async () => {
      await ports.revoke();
      return ok({ status: "ok" });
    }),
    places: command(z.strictObject({}), () =>
      ok({ places: placesOf(config), default: config.place }),
    ),
    health: command(z.strictObject({}), () =>
      ok({ status: "ok", version: config.version, sessions: sessions.list().length }),
    ),
    page: command(z.strictObject({}), async () => ok({ version: await ports.pageVersion() })),
  };
}

async function costsOf(
  { journal, now }: CommandPorts,
  { days, time_zone = ownTimeZone() }: z.infer<typeof Costs>,
): Promise<CommandAnswer> {
  const first = firstDay(now(), days, time_zone);
  const rows = await journal.costs(earliestOf(first));
  return ok({ ...dailyCosts(rows, first, time_zone) });
}

/** The folders of this machine that were used last, newest first. */
function recentDirs(sessions: readonly SessionInfo[]): readonly string[] {
  const used = sessions
    .filter(({ place, dir }) => place === LOCAL && dir !== "")
    .sort((one, other) => other.updated_at - one.updated_at);
  return [...new Set(used.map(({ dir }) => dir))].slice(0, RECENT_DIRS);
}

function placesOf({ places }: HostDefaults): readonly string[] {
  return [LOCAL, SIMULATOR, ...places];
}

async function findFiles(ports: CommandPorts, id: string, query: string): Promise<CommandAnswer> {
  const { place, dir } = ports.sessions.get(id).info();
  if (place !== LOCAL) {
    const message = `the files of the place ${place} cannot be listed`;
    throw new ApiError(501, "unsupported_on_place", message);
  }
  return ok({ files: await completeFiles(dir, query, { hidden: ports.config.data.path }) });
}
