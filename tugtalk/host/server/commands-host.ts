/** Commands about the surroundings of sessions: files, folders, Claude's own history, the host itself. */
import { isAbsolute } from "node:path";
import type { DailyCosts, FileMatch, SessionInfo } from "../../client/host-api.ts";
import { ApiError, badField } from "../api/api-error.ts";
import { type CommandAnswer, command, ok, TextBody } from "../api/command.ts";
import { LOCAL, SIMULATOR } from "../bridges/places.ts";
import { EXPORT_TYPES, exportPieces } from "../export/export-session.ts";
import { COMMAND_FIELDS } from "../fields/command-fields.ts";
import type { CostFields } from "../fields/host-fields.ts";
import { completeFiles } from "../files/completion.ts";
import { listFolders } from "../files/folder-list.ts";
import type { CommandPorts, HostDefaults } from "./command-ports.ts";
import { dailyCosts, earliestOf, firstDay, ownTimeZone } from "./daily-costs.ts";
import { chosenFolder } from "./new-session.ts";

/** The most recent folders that are shown. */
const RECENT_DIRS = 20;

export function hostCommands(ports: CommandPorts) {
  const { sessions, journal, config } = ports;
  return {
    files: command(COMMAND_FIELDS.files, ({ id, q }) => findFiles(ports, id, q)),
    export: command(COMMAND_FIELDS.export, async ({ id, format }) => {
      const session = await sessions.readable(id);
      return ok(new TextBody(EXPORT_TYPES[format], () => exportPieces(session, format)));
    }),
    dirs: command(COMMAND_FIELDS.dirs, async ({ path = config.dir }) =>
      ok({ ...(await listFolders(path)), recent: recentDirs(sessions.list()) }),
    ),
    history: command(COMMAND_FIELDS.history, async ({ dir, place = config.place, ...page }) => {
      const where = { place, dir: chosenFolder(config, place, dir) };
      const { sessions: past, next } = await ports.pastSessions(where, page);
      return ok({ sessions: past, ...(next !== undefined && { next }) });
    }),
    costs: command(COMMAND_FIELDS.costs, (fields) => costsOf(ports, fields)),
    sizes: command(COMMAND_FIELDS.sizes, async () => ok({ sizes: await journal.sizes() })),
    backup: command(COMMAND_FIELDS.backup, async ({ file }) => {
      if (!isAbsolute(file)) throw badField("file", "must be an absolute path");
      await journal.backUp(file);
      return ok({ status: "ok" });
    }),
    revoke: command(COMMAND_FIELDS.revoke, async () => {
      await ports.revoke();
      return ok({ status: "ok" });
    }),
    places: command(COMMAND_FIELDS.places, () =>
      ok({ places: placesOf(config), default: config.place }),
    ),
    health: command(COMMAND_FIELDS.health, () =>
      ok({ status: "ok", version: config.version, sessions: sessions.list().length }),
    ),
    page: command(COMMAND_FIELDS.page, async () => ok({ version: await ports.pageVersion() })),
  };
}

async function costsOf(
  { journal, now }: CommandPorts,
  { days, time_zone = ownTimeZone() }: CostFields,
): Promise<CommandAnswer<DailyCosts>> {
  const first = firstDay(now(), days, time_zone);
  const rows = await journal.costs(earliestOf(first));
  return ok({ ...dailyCosts(rows, first, time_zone) });
}

/** The folders of this machine by their latest use, newest first. */
function recentDirs(sessions: readonly SessionInfo[]): readonly string[] {
  const used = sessions
    .filter(({ place, dir }) => place === LOCAL && dir !== "")
    .sort((one, other) => other.updated_at - one.updated_at);
  return [...new Set(used.map(({ dir }) => dir))].slice(0, RECENT_DIRS);
}

function placesOf({ places }: HostDefaults): readonly string[] {
  return [LOCAL, SIMULATOR, ...places];
}

async function findFiles(
  ports: CommandPorts,
  id: string,
  query: string,
): Promise<CommandAnswer<{ readonly files: readonly FileMatch[] }>> {
  const { place, dir } = ports.sessions.get(id).info();
  if (place !== LOCAL) {
    const message = `the files of the place ${place} cannot be listed`;
    throw new ApiError(501, "unsupported_on_place", message);
  }
  return ok({ files: await completeFiles(dir, query, { hidden: ports.config.data.path }) });
}
