/** A running host: its journal, its sessions and its port, opened and closed together. */
import { homedir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { removeLeftFolders } from "../src/base/private-folders.ts";
import { logError } from "./api/host-log.ts";
import { openBridges } from "./bridges/bridges.ts";
import { denyFolder } from "./bridges/denied-folder.ts";
import { LineGate } from "./bridges/line-gate.ts";
import { listPastSessions } from "./bridges/past-sessions.ts";
import { readPlaces } from "./bridges/places.ts";
import { realDir, realPath } from "./files/real-dir.ts";
import type { HostFlags } from "./host-flags.ts";
import { openHostStorage } from "./host-storage.ts";
import { loadPage } from "./page/load-page.ts";
import { type ServedHost, serveHost } from "./served-host.ts";
import { openCommands } from "./server/commands.ts";
import { openDataFolder } from "./server/data-folder.ts";
import { dataIn, dataRefusal, type HostData } from "./server/host-data.ts";
import { openCommandRunner } from "./server/run-command.ts";

export type RunningHost = ServedHost & {
  /** The data of the host lies in the folder of new sessions. */
  readonly hasDataInDir: boolean;
};

/**
 * `place` is the place of new sessions. Rejects with an error for people if folder, port or places are not
 * available.
 */
export async function openHost(flags: HostFlags, place: string): Promise<RunningHost> {
  const places = flags.places === undefined ? [] : readPlaces(flags.places);
  const dir = await realDir(flags.dir);
  const data = await hostData(flags);
  const isDataIn = dataIn(dir, data);
  if (isDataIn === "refused") throw new Error(dataRefusal(dir, data));
  removeLeftFolders();
  openDataFolder(flags.data);
  const gate = new LineGate();
  const bridges = openBridges({
    claude: flags.claude,
    stateDir: join(flags.data, "bridges"),
    places,
    isIsolated: flags.isIsolated,
    gate,
    idleExit: flags.database?.idleExitSeconds,
  });
  const startBridge = denyFolder(bridges, data.path);
  const { version } = packageJson;
  const config = { version, dir, place, data, places: places.map(({ name }) => name) };
  const storage = await openHostStorage(flags, startBridge, { places, gate });
  const { sessions, journal, door } = storage;
  const commands = openCommands({
    sessions,
    journal,
    config,
    pastSessions: (where, page) => listPastSessions(startBridge, where, page),
    revoke: () => door.renew(),
    pageVersion: async () => (await loadPage()).version,
    now: Date.now,
  });
  try {
    const hasDataInDir = isDataIn === "accepted";
    const isAway = () => storage.shared?.isReady === false;
    const run = openCommandRunner(commands, (id) => sessions.seek(id), logError, isAway);
    return { ...serveHost(flags, storage, run), hasDataInDir };
  } catch (error) {
    await sessions.close();
    storage.unlock();
    throw error;
  }
}

async function hostData({ data, hasDefaultData: isDefault }: HostFlags): Promise<HostData> {
  return { path: await realPath(data), isDefault, home: await realPath(homedir()) };
}
