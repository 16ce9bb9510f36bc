/** A host that runs: its journal, its sessions and its port, opened and closed together. */
import { homedir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { removeLeftFolders } from "../src/base/private-folders.ts";
import type { CommandRunner } from "./api/command.ts";
import { logError } from "./api/host-log.ts";
import type { HostSessions } from "./api/host-session.ts";
import type { BridgeStarter, Place } from "./bridges/bridge.ts";
import { openBridges } from "./bridges/bridges.ts";
import { denyFolder } from "./bridges/denied-folder.ts";
import { LineGate } from "./bridges/line-gate.ts";
import { listPastSessions } from "./bridges/past-sessions.ts";
import { readPlaces } from "./bridges/places.ts";
import { realDir, realPath } from "./files/real-dir.ts";
import { DEFAULT_PORT, type HostFlags } from "./host-flags.ts";
import { hostMetrics } from "./host-metrics.ts";
import { CommitFigures } from "./journal/commit-figures.ts";
import type { Journal } from "./journal/journal.ts";
import { JournalLockedError } from "./journal/journal-error.ts";
import { connectHost } from "./journal/postgres/connection.ts";
import { openJournal } from "./journal/sqlite-journal.ts";
import { linkTo } from "./link.ts";
import { loadOpenApi } from "./openapi/load-document.ts";
import { loadPage, ownPages } from "./page/load-page.ts";
import type { CommandPorts } from "./server/command-ports.ts";
import { openCommands } from "./server/commands.ts";
import {
  type HostRecord,
  journalFile,
  openDataFolder,
  readHostRecord,
  readOwnName,
  readToken,
  removeHostRecord,
  tokenFile,
  writeHostRecord,
  writeToken,
} from "./server/data-folder.ts";
import { databaseUrl } from "./server/database-flags.ts";
import { type Door, type Keys, OwnDoor } from "./server/door.ts";
import { FolderLockedError, lockFolder } from "./server/folder-lock.ts";
import { openHandler } from "./server/handler.ts";
import { dataIn, dataRefusal, type HostData } from "./server/host-data.ts";
import { isSignedIn } from "./server/request-guard.ts";
import type { RequestHead } from "./server/request-head.ts";
import { openCommandRunner } from "./server/run-command.ts";
import { newSecret } from "./server/secret.ts";
import { type ServeOptions, type Serving, serve } from "./server/serve.ts";
import { SignIn } from "./server/sign-in.ts";
import { originOf, type SiteNames, sitesOf } from "./server/sites.ts";
import { openSessions } from "./sessions/sessions.ts";
import { leaseOf } from "./shared/lease-settings.ts";
import { ofMachine } from "./shared/machine-trust.ts";
import type { SharedFigures } from "./shared/shared-figures.ts";
import { openSharedSessions } from "./shared/shared-sessions.ts";
import { OpenStreams } from "./stream/open-streams.ts";
import { socketHandlers } from "./stream/socket.ts";

/** For how long connections are kept that were opened with other keys: the answer to who has asked for new ones goes out. */
const REVOKED_MS = 500;

export type RunningHost = {
  readonly port: number;
  /** A link for a browser. It works once, for ten minutes. */
  readonly url: string;
  readonly tokenFile: string;
  /** Its data lies in the folder of new sessions. */
  readonly hasDataInDir: boolean;
  /** Ends every Claude, then the connections, and gives the data folder free. */
  close(): Promise<void>;
};

/** `place` is the place of new sessions. Rejects with an error for people if folder, port or places cannot be had. */
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
  const kept = await openKept(flags, startBridge, { places, gate });
  const { sessions, journal, door } = kept;
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
    const isAway = () => kept.shared?.isReady === false;
    const run = openCommandRunner(commands, (id) => sessions.seek(id), logError, isAway);
    const served = serveSessions(flags, kept, run);
    const close = () => served.close().finally(kept.unlock);
    return { ...served, close, hasDataInDir };
  } catch (error) {
    await sessions.close();
    throw error;
  }
}

type Kept = {
  readonly sessions: HostSessions;
  readonly journal: CommandPorts["journal"];
  readonly door: Door;
  readonly commits: CommitFigures;
  /** Gives the data folder free. */
  readonly unlock: () => void;
  /** Of a host that shares a database. */
  readonly shared?: { readonly isReady: boolean; readonly figures: SharedFigures };
};

/** Opens the sessions where they are kept: in the data folder, or in a database. */
async function openKept(
  { data, database }: HostFlags,
  startBridge: BridgeStarter,
  { places, gate }: { readonly places: readonly Place[]; readonly gate: LineGate },
): Promise<Kept> {
  const commits = new CommitFigures();
  if (database === undefined) {
    const journal = lockJournal(data, commits);
    // After the journal, which says more of a disk without room.
    const unlock = lockData(data);
    const sessions = await openSessions({ journal, startBridge });
    return { sessions, journal, door: await openDoor(data, sessions), commits, unlock };
  }
  const unlock = lockData(data);
  const { machine } = database;
  const sessions = await openSharedSessions(await connectHost(databaseUrl(database)), {
    startBridge,
    keys: firstKeys(data),
    figures: commits,
    host: {
      machine,
      gate,
      version: packageJson.version,
      places: places.map(({ name }) => name),
      lease: leaseOf(database, places),
    },
  });
  const { door } = sessions;
  return {
    sessions,
    journal: ofMachine(sessions.journal, machine),
    door,
    commits,
    unlock,
    shared: sessions,
  };
}

async function openDoor(data: string, sessions: HostSessions): Promise<Door> {
  try {
    return new OwnDoor({ ...firstKeys(data), now: Date.now });
  } catch (error) {
    await sessions.close();
    throw error;
  }
}

function firstKeys(data: string): Keys {
  return { token: readToken(data), codeKey: newSecret() };
}

async function hostData({ data, hasDefaultData: isDefault }: HostFlags): Promise<HostData> {
  return { path: await realPath(data), isDefault, home: await realPath(homedir()) };
}

function lockJournal(folder: string, figures: CommitFigures): Journal {
  return orTaken(folder, () => openJournal(journalFile(folder), { figures }));
}

function lockData(folder: string): () => void {
  return orTaken(folder, () => lockFolder(folder));
}

/** Throws an error for people where another host, or a program that moves its sessions, has the folder. */
function orTaken<Locked>(folder: string, lock: () => Locked): Locked {
  const other = readHostRecord(folder);
  try {
    return lock();
  } catch (error) {
    if (!(error instanceof FolderLockedError || error instanceof JournalLockedError)) throw error;
    const who =
      other === undefined ? "another host" : `the host at ${other.origin} (pid ${other.pid})`;
    const message = `${who} has the data folder ${folder}; stop it, or name another folder with --data`;
    throw new Error(message, { cause: error });
  }
}

function serveSessions(
  flags: HostFlags,
  { sessions, door, commits, shared }: Kept,
  run: CommandRunner,
): Omit<RunningHost, "hasDataInDir"> {
  let isClosing = false;
  const isReady = () => !isClosing && shared?.isReady !== false;
  const streams = new OpenStreams();
  const metrics = () =>
    hostMetrics({
      version: packageJson.version,
      isReady,
      sessions: () => sessions.list(),
      commits,
      streams,
      shared: shared && (() => shared.figures),
    });
  const names = namesOf(flags);
  const page = ownPages();
  const openServedHandler = (port: number) => {
    const signIn = new SignIn(door, port);
    const sites = sitesOf(names, port);
    const answers = { sessions, runCommand: run, signIn, sites, page, isReady, metrics, streams };
    return {
      answer: openHandler({ ...answers, openApi: loadOpenApi, report: logError }),
      isSignedIn: (head: RequestHead) => isSignedIn(head, sites, signIn),
    };
  };
  const websocket = socketHandlers({ sessions, run, streams, report: logError });
  const serving = servePort(flags, { openHandler: openServedHandler, websocket });
  const origin = linkOrigin(flags, names, serving.port);
  writeDoor(flags.data, door, { port: serving.port, origin });
  door.listen(() => {
    writeDoor(flags.data, door, { port: serving.port, origin });
    setTimeout(() => serving.disconnect(), REVOKED_MS);
  });
  return {
    port: serving.port,
    url: linkTo(recordOf(door, { port: serving.port, origin }), Date.now()),
    tokenFile: tokenFile(flags.data),
    close: async () => {
      isClosing = true;
      // The clients get each end before their connections go.
      await sessions.close();
      await serving.close();
      removeHostRecord(flags.data);
    },
  };
}

type Address = Pick<HostRecord, "port" | "origin">;

function recordOf({ keys, aheadMs }: Door, address: Address): HostRecord {
  return { ...address, pid: process.pid, code_key: keys.codeKey, ahead_ms: aheadMs };
}

/** For scripts, and for `tugtalk host url`. */
function writeDoor(folder: string, door: Door, address: Address): void {
  if (readToken(folder) !== door.keys.token) writeToken(folder, door.keys.token);
  writeHostRecord(folder, recordOf(door, address));
}

function namesOf({ hasOwnName, data, allowedHosts, publicUrls }: HostFlags): SiteNames {
  return { ownName: hasOwnName ? readOwnName(data) : undefined, allowedHosts, publicUrls };
}

/** Where a browser opens links: as it reaches the host from afar, where it does. */
function linkOrigin({ listen }: HostFlags, names: SiteNames, port: number): string {
  const [publicUrl] = names.publicUrls;
  if (publicUrl !== undefined) return originOf("https", publicUrl);
  const [allowed] = listen === undefined ? [] : names.allowedHosts;
  return originOf("http", { name: allowed ?? names.ownName ?? "127.0.0.1", port });
}

type Served = Pick<ServeOptions, "openHandler" | "websocket">;

function servePort({ port, listen, data: folder }: HostFlags, served: Served): Serving {
  try {
    return serve({ port: port ?? DEFAULT_PORT, listen, folder, ...served });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "EADDRINUSE") throw error;
    if (port === undefined) return serve({ port: 0, listen, folder, ...served });
    const message = `port ${port} is in use; --port names another one, 0 takes a free one`;
    throw new Error(message, { cause: error });
  }
}
