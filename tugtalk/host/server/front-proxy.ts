/**
 * The listening sockets of the host, which pass connections on to the server behind. Clients that have not
 * shown that they are signed in hold few files of this process at a time, each for a short time. So there are
 * always enough files for the others, and for their sessions.
 */
import { readFileSync } from "node:fs";
import type { TCPSocketListener } from "bun";
import {
  type ConnectionPorts,
  ProxiedConnection,
  type ProxiedSocket,
} from "./proxied-connection.ts";

/**
 * The share of these clients in the files that this process may open, and their most. Beyond it the oldest
 * connection is closed.
 */
const UNAUTHENTICATED_SHARE = 1 / 4;
const MAX_UNAUTHENTICATED_FILES = 512;

/** Time for a link, a page of ours that says how to sign in, or a refusal. */
const UNAUTHENTICATED_MS = 10_000;

/** How often the connections are checked. */
const CHECK_MS = 10_000;

export type FrontProxyOptions = Pick<ConnectionPorts, "path" | "maxHeadBytes" | "isSignedIn">;

export class FrontProxy {
  readonly #options: FrontProxyOptions;
  readonly #connections = new Set<ProxiedConnection>();
  /** Oldest first, each with the timer of its end. */
  readonly #unauthenticated = new Map<ProxiedConnection, Timer>();
  readonly #maxUnauthenticatedFiles: number;
  readonly #timer: Timer;

  constructor(options: FrontProxyOptions) {
    this.#options = options;
    const share = Math.floor(maxFiles() * UNAUTHENTICATED_SHARE);
    this.#maxUnauthenticatedFiles = Math.min(share, MAX_UNAUTHENTICATED_FILES);
    this.#timer = setInterval(() => this.check(performance.now()), CHECK_MS);
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** Ends the connections that are stuck or idle at this time of `performance`. */
  check(now: number): void {
    for (const connection of [...this.#connections]) connection.check(now);
  }

  /** Listens on one more address. Throws the error of the system. */
  listen(hostname: string, port: number): TCPSocketListener<ProxiedConnection> {
    return Bun.listen<ProxiedConnection>({
      hostname,
      port,
      exclusive: true,
      socket: {
        open: (client) => {
          client.data = this.#open(client);
        },
        data: (client, bytes) => client.data.receive(client, bytes),
        drain: (client) => client.data.drain(client),
        close: (client) => client.data.close(client),
        error: (client) => client.data.terminate(),
      },
    });
  }

  /** Ends every connection. */
  close(): void {
    clearInterval(this.#timer);
    this.disconnect();
  }

  /** Ends the connections of this moment. */
  disconnect(): void {
    for (const connection of [...this.#connections]) connection.terminate();
  }

  #open(client: ProxiedSocket): ProxiedConnection {
    const connection = new ProxiedConnection(client, {
      ...this.#options,
      onConnect: () => this.#makeRoom(),
      onSignedIn: () => this.#release(connection),
      onClose: () => {
        this.#release(connection);
        this.#connections.delete(connection);
      },
    });
    this.#connections.add(connection);
    this.#unauthenticated.set(
      connection,
      setTimeout(() => connection.terminate(), UNAUTHENTICATED_MS),
    );
    this.#makeRoom();
    return connection;
  }

  #makeRoom(): void {
    let files = 0;
    for (const connection of [...this.#unauthenticated.keys()].reverse()) {
      files += connection.files;
      if (files > this.#maxUnauthenticatedFiles) connection.terminate();
    }
  }

  #release(connection: ProxiedConnection): void {
    clearTimeout(this.#unauthenticated.get(connection));
    this.#unauthenticated.delete(connection);
  }
}

/** A process's usual limit, for systems that do not name it. */
const USUAL_MAX_FILES = 1024;

/** The number of files that this process may open. */
function maxFiles(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? USUAL_MAX_FILES);
  } catch {
    return USUAL_MAX_FILES; // Not Linux.
  }
}
