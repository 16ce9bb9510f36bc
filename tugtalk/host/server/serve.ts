/** The handler on sockets: one port of this machine, over IPv4 and IPv6, and a further address if wanted. */
import http from "node:http";
import type { Server, WebSocketHandler } from "bun";
import { MAX_MESSAGE_BYTES } from "../api/command-limits.ts";
import { answerOf } from "../api/error-answer.ts";
import type { SocketData } from "../stream/socket.ts";
import type { Handler, Peer } from "./handler.ts";
import { commandResponse } from "./headers.ts";

export type ServeOptions = {
  /** Takes a free port if it is 0. */
  readonly port: number;
  /** An address besides those of loopback. */
  readonly listen?: string | undefined;
  /** Called with the port before the first request. */
  readonly openHandler: (port: number) => Handler;
  readonly websocket: WebSocketHandler<SocketData>;
};

export type Serving = {
  readonly port: number;
  /** Ends every connection. */
  close(): Promise<void>;
};

type AnyServer = Server<SocketData>;

/** How often another free port is tried, where the first one is not free on every address. */
const ATTEMPTS = 20;

/** Bun's own limit, whose answer lacks our headers, is just above ours. */
const MAX_BUN_BODY_BYTES = MAX_MESSAGE_BYTES + 1024 * 1024;

/**
 * Browsers send the cookies of every port of this machine to each: 180 of 4,096 characters at most, which
 * must not lock out who is signed in here.
 */
const MAX_HEAD_BYTES = 1024 * 1024;

/** After an answer: until it is read, and then until the next request. */
const IDLE_SECONDS = 60;

const LOOPBACK = ["127.0.0.1", "::1"];
const WILDCARDS = ["0.0.0.0", "::"];

/** Throws the error of the system if an address cannot be had: `EADDRINUSE` for one in use. */
export function serve(options: ServeOptions): Serving {
  // Of this process: `Bun.serve` has no option for it.
  Object.assign(http, { maxHeaderSize: MAX_HEAD_BYTES });
  const servers = bindPort(options);
  const port = servers[0]?.port ?? options.port;
  return {
    port,
    close: async () => {
      await Promise.all(servers.map((server) => server.stop(true)));
    },
  };
}

function bindPort(options: ServeOptions): readonly AnyServer[] {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return bindAddresses(options);
    } catch (error) {
      // The port that one address has given may be in use on another one.
      const isRetried = options.port === 0 && attempt < ATTEMPTS;
      if (!isRetried || codeOf(error) !== "EADDRINUSE") throw error;
    }
  }
}

/** The first address decides on the port. */
function bindAddresses({ listen, websocket, ...options }: ServeOptions): readonly AnyServer[] {
  const [first = "", ...others] = addressesOf(listen);
  // A request cannot come in before this function has returned.
  let handler: Handler | undefined;
  const answer: Handler = async (request, peer) => handler?.(request, peer);
  const server = bind({ hostname: first, port: options.port, answer, websocket });
  const servers = [server];
  try {
    const port = server.port ?? options.port;
    for (const hostname of others)
      servers.push(...bindOther({ hostname, port, answer, websocket }));
    handler = options.openHandler(port);
    return servers;
  } catch (error) {
    for (const bound of servers) void bound.stop(true);
    throw error;
  }
}

/** A wildcard holds loopback too. */
function addressesOf(listen: string | undefined): readonly string[] {
  if (listen === undefined) return LOOPBACK;
  return WILDCARDS.includes(listen) ? [listen] : [...new Set([...LOOPBACK, listen])];
}

type Address = {
  readonly hostname: string;
  readonly port: number;
  readonly answer: Handler;
  readonly websocket: WebSocketHandler<SocketData>;
};

/** Nothing for IPv6 loopback on a machine without it. */
function bindOther(address: Address): readonly AnyServer[] {
  try {
    return [bind(address)];
  } catch (error) {
    if (address.hostname === "::1" && NO_SUCH_ADDRESS.includes(codeOf(error) ?? "")) return [];
    throw error;
  }
}

const NO_SUCH_ADDRESS = ["EADDRNOTAVAIL", "EAFNOSUPPORT"];

function bind({ hostname, port, answer, websocket }: Address): AnyServer {
  return Bun.serve<SocketData>({
    hostname,
    port,
    websocket,
    development: false,
    // Else Bun shares the port with any other program that shares it, where `development` is false.
    reusePort: false,
    maxRequestBodySize: MAX_BUN_BODY_BYTES,
    fetch: (request, server) => answer(request, peerOf(request, server)),
    error: (error) => commandResponse(answerOf(error)),
  });
}

function peerOf(request: Request, server: AnyServer): Peer {
  return {
    upgrade: (caller) => server.upgrade(request, { data: { caller } }),
    keepOpen: () => server.timeout(request, 0),
    endIfIdle: () => server.timeout(request, IDLE_SECONDS),
    cutOff: () => server.timeout(request, 1),
    connections: server.pendingRequests + server.pendingWebSockets,
  };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
