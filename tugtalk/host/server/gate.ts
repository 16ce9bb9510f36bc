/**
 * The listening sockets of the host. Those who have not shown that they are signed in hold few files of
 * this process at a time, each for a short time, so that there are always some for those who have, and for
 * their sessions.
 */
import type { TCPSocketListener } from "bun";
import { GatedConnection } from "./gated-connection.ts";
import type { RequestHead } from "./request-head.ts";

/** Beyond it the oldest one is closed: who is signed in says so within milliseconds. */
const MAX_STRANGERS = 32;

/** For a link, a page of ours that says how to sign in, or a refusal. */
const STRANGER_MS = 10_000;

/** How often the connections are checked. */
const CHECK_MS = 10_000;

export type GateOptions = {
  /** Where the server behind listens. */
  readonly path: string;
  readonly maxHeadBytes: number;
  readonly isSignedIn: (head: RequestHead) => boolean;
};

export class Gate {
  readonly #options: GateOptions;
  readonly #connections = new Set<GatedConnection>();
  /** Oldest first, with the end of their time. */
  readonly #strangers = new Map<GatedConnection, Timer>();

  readonly #timer: Timer;

  constructor(options: GateOptions) {
    this.#options = options;
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
  listen(hostname: string, port: number): TCPSocketListener<GatedConnection> {
    return Bun.listen<GatedConnection>({
      hostname,
      port,
      exclusive: true,
      socket: {
        open: (client) => {
          client.data = this.#open((ports) => new GatedConnection(client, ports));
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
    for (const connection of [...this.#connections]) connection.terminate();
  }

  #open(make: (ports: ConstructorParameters<typeof GatedConnection>[1]) => GatedConnection) {
    const connection = make({
      ...this.#options,
      onSignedIn: () => this.#forgetStranger(connection),
      onClose: () => {
        this.#forgetStranger(connection);
        this.#connections.delete(connection);
      },
    });
    this.#connections.add(connection);
    this.#strangers.set(
      connection,
      setTimeout(() => connection.terminate(), STRANGER_MS),
    );
    const [oldest] = this.#strangers.keys();
    if (this.#strangers.size > MAX_STRANGERS) oldest?.terminate();
    return connection;
  }

  #forgetStranger(connection: GatedConnection): void {
    clearTimeout(this.#strangers.get(connection));
    this.#strangers.delete(connection);
  }
}
