/** A host that runs: its journal, its sessions and its port, opened and closed together. */
import { homedir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { removeLeftFolders } from "../src/base/private-folders.ts";
import type { CommandRunner } from "./api/command.ts";
import { logError } from "./api/host-log.ts";
import type { HostSessions } from "./api/host-session.ts";
import { openBridges } from "./bridges/bridges.ts";
import { denyFolder } from "./bridges/denied-folder.ts";
import { listPastSessions } from "./bridges/past-sessions.ts";
import { readPlaces } from "./bridges/places.ts";
import { realDir, realPath } from "./files/real-dir.ts";
import { DEFAULT_PORT, type HostFlags } from "./host-flags.ts";
import type { Journal } from "./journal/journal.ts";
import { JournalLockedError } from "./journal/journal-error.ts";
import { openJournal } from "./journal/sqlite-journal.ts";
import { linkTo } from "./link.ts";
import { loadPage, pageOfHost } from "./page/load-page.ts";
import { openCommands } from "./server/commands.ts";
import {
  journalFile,
  openDataFolder,
  readHostRecord,
  readOwnName,
  readToken,
  removeHostRecord,
  tokenFile,
  writeHostRecord,
} from "./server/data-folder.ts";
import { openHandler } from "./server/handler.ts";
import { dataIn, dataRefusal, type HostData } from "./server/host-data.ts";
import { proofKeyOf } from "./server/host-proof.ts";
import { isSignedIn } from "./server/request-guard.ts";
import type { RequestHead } from "./server/request-head.ts";
import { openCommandRunner } from "./server/run-command.ts";
import { newSecret } from "./server/secret.ts";
import { type ServeOptions, type Serving, serve } from "./server/serve.ts";
import { SignIn } from "./server/sign-in.ts";
import { originOf, type SiteNames, sitesOf } from "./server/sites.ts";
import { openSessions } from "./sessions/sessions.ts";
import { socketHandlers } from "./stream/socket.ts";

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

/** `place` is that of new sessions. Rejects with an error for people if folder, port or places cannot be had. */
export async function openHost(flags: HostFlags, place: string): Promise<RunningHost> {
  const places = flags.places === undefined ? [] : readPlaces(flags.places);
  const dir = await realDir(flags.dir);
  const data = await hostData(flags);
  const isDataIn = dataIn(dir, data);
  if (isDataIn === "refused") throw new Error(dataRefusal(dir, data));
  removeLeftFolders();
  openDataFolder(flags.data);
  const journal = lockJournal(flags.data);
  const bridges = openBridges({
    claude: flags.claude,
    stateDir: join(flags.data, "bridges"),
    places,
    isIsolated: flags.isIsolated,
  });
  const startBridge = denyFolder(bridges, data.path);
  const { version } = packageJson;
  const config = { version, dir, place, data, places: places.map(({ name }) => name) };
  const sessions = await openSessions({ journal, startBridge });
  const commands = openCommands({
    sessions,
    journal,
    config,
    pastSessions: (where, page) => listPastSessions(startBridge, where, page),
    pageVersion: async () => (await loadPage()).version,
    now: Date.now,
  });
  try {
    const hasDataInDir = isDataIn === "accepted";
    const run = openCommandRunner(commands, logError);
    return { ...serveSessions(flags, sessions, run), hasDataInDir };
  } catch (error) {
    await sessions.close();
    throw error;
  }
}

async function hostData({ data, hasDefaultData: isDefault }: HostFlags): Promise<HostData> {
  return { path: await realPath(data), isDefault, home: await realPath(homedir()) };
}

function lockJournal(folder: string): Journal {
  const other = readHostRecord(folder);
  try {
    return openJournal(journalFile(folder));
  } catch (error) {
    if (!(error instanceof JournalLockedError)) throw error;
    const who =
      other === undefined ? "another host" : `the host at ${other.origin} (pid ${other.pid})`;
    const message = `${who} has the data folder ${folder}; stop it, or name another folder with --data`;
    throw new Error(message, { cause: error });
  }
}

function serveSessions(
  flags: HostFlags,
  sessions: HostSessions,
  run: CommandRunner,
): Omit<RunningHost, "hasDataInDir"> {
  const token = readToken(flags.data);
  const codeKey = newSecret();
  const names = namesOf(flags);
  const openServedHandler = (port: number) => {
    const signIn = new SignIn({ token, codeKey, port, now: Date.now });
    const sites = sitesOf(names, port);
    const page = pageOfHost(proofKeyOf({ token, port }));
    const ports = { sessions, runCommand: run, signIn, sites, page, report: logError };
    return {
      answer: openHandler(ports),
      isSignedIn: (head: RequestHead) => isSignedIn(head, sites, signIn),
    };
  };
  const websocket = socketHandlers({ sessions, run, report: logError });
  const serving = servePort(flags, { openHandler: openServedHandler, websocket });
  const { pid } = process;
  const record = {
    pid,
    port: serving.port,
    origin: linkOrigin(flags, names, serving.port),
    code_key: codeKey,
  };
  writeHostRecord(flags.data, record);
  return {
    port: serving.port,
    url: linkTo(record, Date.now()),
    tokenFile: tokenFile(flags.data),
    close: async () => {
      // The clients are told of each end before their connections go.
      await sessions.close();
      await serving.close();
      removeHostRecord(flags.data);
    },
  };
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
