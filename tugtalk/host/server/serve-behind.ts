/** The server behind the front proxy: HTTP and WebSockets, on a socket that only this user can reach. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Server, WebSocketHandler } from "bun";
import { MAX_MESSAGE_BYTES } from "../api/command-limits.ts";
import { answerOf } from "../api/error-answer.ts";
import type { SocketData } from "../stream/socket.ts";
import type { Handler, Peer } from "./handler.ts";
import { commandResponse } from "./headers.ts";

export type BehindOptions = {
  /** A folder of this user for the socket, tried first. */
  readonly folder?: string | undefined;
  readonly answer: Handler;
  readonly websocket: WebSocketHandler<SocketData>;
};

export type ServingBehind = {
  /** The path of the socket. */
  readonly path: string;
  /** Ends every connection. */
  close(): Promise<void>;
};

/** Bun's own limit, whose answer lacks our headers, is just above ours. */
const MAX_BUN_BODY_BYTES = MAX_MESSAGE_BYTES + 1024 * 1024;

/**
 * The limit of a head. Browsers send the cookies of every port of this machine to each: at most 180 of 4,096
 * characters, which must not lock out a signed-in browser.
 */
export const MAX_HEAD_BYTES = 1024 * 1024;

/** Systems cut longer paths of sockets off. */
const MAX_PATH_BYTES = 100;

/** The front proxy limits times, since Bun cannot change its own limit for one request on a Unix socket. */
const UNLIMITED: object = { idleTimeout: 0 };

const NAME = "socket";

/** Throws the error of the system if no place for the socket is left. */
export function serveBehind({ folder, ...options }: BehindOptions): ServingBehind {
  // A setting of the whole process: `Bun.serve` has no option for it.
  Object.assign(http, { maxHeaderSize: MAX_HEAD_BYTES });
  return serveInFolder(folder, options) ?? serveInTemporary(options);
}

/** Undefined if the path is too long, or the file system has no sockets. */
function serveInFolder(folder: string | undefined, options: BehindOptions) {
  const path = join(folder ?? "", NAME);
  if (folder === undefined || Buffer.byteLength(path) > MAX_PATH_BYTES) return undefined;
  try {
    // A killed host leaves its socket.
    rmSync(path, { force: true });
    return opened(path, path, options);
  } catch {
    return undefined; // Tried in a temporary folder.
  }
}

function serveInTemporary(options: BehindOptions): ServingBehind {
  const folder = mkdtempSync(join(tmpdir(), "tugtalk-"));
  const path = join(folder, NAME);
  return opened(path, folder, options);
}

function opened(path: string, left: string, { answer, websocket }: BehindOptions): ServingBehind {
  const server = Bun.serve<SocketData>({
    unix: path,
    websocket,
    development: false,
    ...UNLIMITED,
    maxRequestBodySize: MAX_BUN_BODY_BYTES,
    fetch: (request, bun) => answer(request, peerOf(request, bun)),
    error: (error) => commandResponse(answerOf(error)),
  });
  chmodSync(path, 0o600);
  return {
    path,
    close: async () => {
      const stopped = server.stop(true);
      // Removed at once, since the next host may use this path.
      rmSync(left, { recursive: true, force: true });
      await stopped;
    },
  };
}

function peerOf(request: Request, server: Server<SocketData>): Peer {
  return {
    upgrade: (caller) => server.upgrade(request, { data: { caller } }),
    connections: server.pendingRequests + server.pendingWebSockets,
  };
}
