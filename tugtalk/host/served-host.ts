/** A served host: the handlers on a port, the files of the door, and links to the host. */
import packageJson from "../../package.json" with { type: "json" };
import type { CommandRunner } from "./api/command.ts";
import { logError } from "./api/host-log.ts";
import { DEFAULT_PORT, type HostFlags } from "./host-flags.ts";
import { hostMetrics } from "./host-metrics.ts";
import type { HostStorage } from "./host-storage.ts";
import { linkTo } from "./link.ts";
import { loadOpenApi } from "./openapi/load-document.ts";
import { ownPages } from "./page/load-page.ts";
import {
  type HostRecord,
  readOwnName,
  readToken,
  removeHostRecord,
  tokenFile,
  writeHostRecord,
  writeToken,
} from "./server/data-folder.ts";
import type { Door } from "./server/door.ts";
import { openHandler } from "./server/handler.ts";
import { isSignedIn } from "./server/request-guard.ts";
import { type ServeOptions, type Serving, serve } from "./server/serve.ts";
import { SignIn } from "./server/sign-in.ts";
import { originOf, type SiteNames, sitesOf } from "./server/sites.ts";
import { OpenStreams } from "./stream/open-streams.ts";
import { socketHandlers } from "./stream/socket.ts";

/** How long connections with old keys are kept, so that the answer to the revoking client still goes out. */
const REVOKED_MS = 500;

export type ServedHost = {
  readonly port: number;
  /** A link for a browser. It works once, for ten minutes. */
  readonly url: string;
  readonly tokenFile: string;
  /** Ends every Claude, then the connections, and releases the data folder. */
  close(): Promise<void>;
};

/** Opens the port, and writes the files by which scripts and links find it. */
export function serveHost(flags: HostFlags, storage: HostStorage, run: CommandRunner): ServedHost {
  const { sessions, door, shared } = storage;
  let isClosing = false;
  const isReady = () => !isClosing && shared?.isReady !== false;
  const names = namesOf(flags);
  const serving = servePort(flags, handlersOf(storage, { run, names, isReady }));
  const address = { port: serving.port, origin: linkOrigin(flags, names, serving.port) };
  writeDoor(flags.data, door, address);
  door.listen(() => {
    writeDoor(flags.data, door, address);
    setTimeout(() => serving.disconnect(), REVOKED_MS);
  });
  return {
    port: serving.port,
    url: linkTo(recordOf(door, address), Date.now()),
    tokenFile: tokenFile(flags.data),
    close: async () => {
      isClosing = true;
      // Clients get the end of each session before their connections close.
      await sessions.close();
      await serving.close();
      removeHostRecord(flags.data);
      storage.unlock();
    },
  };
}

type Served = Pick<ServeOptions, "openHandler" | "websocket">;

type HandlerPorts = {
  readonly run: CommandRunner;
  readonly names: SiteNames;
  readonly isReady: () => boolean;
};

function handlersOf(
  { sessions, door, commits, shared }: HostStorage,
  { run, names, isReady }: HandlerPorts,
): Served {
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
  const page = ownPages();
  return {
    openHandler: (port) => {
      const signIn = new SignIn(door, port);
      const sites = sitesOf(names, port);
      const answers = { sessions, runCommand: run, signIn, sites, page, isReady, metrics, streams };
      return {
        answer: openHandler({ ...answers, openApi: loadOpenApi, report: logError }),
        isSignedIn: (head) => isSignedIn(head, sites, signIn),
      };
    },
    websocket: socketHandlers({ sessions, run, streams, report: logError }),
  };
}

type Address = Pick<HostRecord, "port" | "origin">;

function recordOf({ keys, aheadMs }: Door, address: Address): HostRecord {
  return { ...address, pid: process.pid, code_key: keys.codeKey, ahead_ms: aheadMs };
}

/** Writes the files for scripts, and for `tugtalk host url`. */
function writeDoor(folder: string, door: Door, address: Address): void {
  if (readToken(folder) !== door.keys.token) writeToken(folder, door.keys.token);
  writeHostRecord(folder, recordOf(door, address));
}

function namesOf({ hasOwnName, data, allowedHosts, publicUrls }: HostFlags): SiteNames {
  return { ownName: hasOwnName ? readOwnName(data) : undefined, allowedHosts, publicUrls };
}

/** The origin of links: the public address, if the host has one, or else an address of this machine. */
function linkOrigin({ listen }: HostFlags, names: SiteNames, port: number): string {
  const [publicUrl] = names.publicUrls;
  if (publicUrl !== undefined) return originOf("https", publicUrl);
  const [allowed] = listen === undefined ? [] : names.allowedHosts;
  return originOf("http", { name: allowed ?? names.ownName ?? "127.0.0.1", port });
}

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
