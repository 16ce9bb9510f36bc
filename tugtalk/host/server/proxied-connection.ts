/**
 * A connection with a client, and from the first whole head on a connection with the server behind, which
 * gets all bytes unchanged. Neither side is read faster than the other one takes bytes.
 */
import type { Socket } from "bun";
import { END_OF_HEAD, parseHead, type RequestHead } from "./request-head.ts";

export type ProxiedSocket = Socket<ProxiedConnection>;

export type ConnectionPorts = {
  /** The socket of the server behind. */
  readonly path: string;
  /** The longest head. */
  readonly maxHeadBytes: number;
  readonly isSignedIn: (head: RequestHead) => boolean;
  /** The connection takes the files of a connection with the server. */
  readonly onConnect: () => void;
  /** The client has shown that it is signed in. Called once. */
  readonly onSignedIn: () => void;
  readonly onClose: () => void;
};

/** The longest time in which a client takes none of the waiting bytes. */
const MAX_STUCK_MS = 60_000;

/**
 * The longest time in which no byte moves: longer than any command takes, as a request to Claude that waits
 * for a person. Streams and WebSockets have their pings.
 */
export const MAX_IDLE_MS = 11 * 60_000;

export class ProxiedConnection {
  readonly #ports: ConnectionPorts;
  readonly #client: ProxiedSocket;
  #server: ProxiedSocket | undefined;
  /** The bytes of an incomplete head, until the client is signed in. */
  #head: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  #isSignedIn = false;
  #isConnecting = false;
  /** The bytes that have come before there is a connection with the server. */
  readonly #early: Buffer[] = [];
  #isClientClosed = false;
  #isServerClosed = false;
  #lastMovedAt = performance.now();
  #toClient = new Flow();
  #toServer = new Flow();

  constructor(client: ProxiedSocket, ports: ConnectionPorts) {
    this.#client = client;
    this.#ports = ports;
  }

  /**
   * The number of this process's files that the connection holds: the server has the other end of its
   * connection.
   */
  get files(): number {
    return this.#isConnecting || this.#server !== undefined ? 3 : 1;
  }

  /** Ends the connection at once. */
  terminate(): void {
    this.#client.terminate();
  }

  /** Ends the connection if its client reads nothing, or if no byte moves. */
  check(now: number): void {
    const isStuck = this.#toClient.stuckMs(now) > MAX_STUCK_MS;
    if (isStuck || now - this.#lastMovedAt > MAX_IDLE_MS) this.terminate();
  }

  receive(from: ProxiedSocket, bytes: Buffer): void {
    this.#lastMovedAt = performance.now();
    if (from !== this.#client) this.#toClient.send(bytes, from, this.#client);
    else if (this.#isConnecting) this.#early.push(Buffer.from(bytes));
    else if (this.#isSignedIn && this.#server !== undefined)
      this.#toServer.send(bytes, from, this.#server);
    else this.#receiveHead(bytes);
  }

  drain(socket: ProxiedSocket): void {
    this.#lastMovedAt = performance.now();
    if (socket === this.#server) this.#toServer.drain(socket, this.#client);
    else if (socket === this.#client) {
      this.#toClient.drain(socket, this.#server);
      if (this.#isServerClosed && this.#toClient.isEmpty) socket.end();
    }
  }

  close(socket: ProxiedSocket): void {
    if (socket === this.#client) {
      this.#isClientClosed = true;
      this.#server?.terminate();
      this.#ports.onClose();
      return;
    }
    this.#isServerClosed = true;
    if (this.#toClient.isEmpty) this.#client.end();
  }

  /** Any request of a client that is not signed in may show that it is. */
  #receiveHead(bytes: Buffer): void {
    const head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
    const end = head.indexOf(END_OF_HEAD);
    const isWhole = end !== -1 || head.length > this.#ports.maxHeadBytes;
    this.#head = isWhole ? Buffer.alloc(0) : Buffer.from(head);
    const parsed = end === -1 ? undefined : parseHead(head.toString("latin1", 0, end));
    if (!this.#isSignedIn && parsed !== undefined && this.#ports.isSignedIn(parsed)) {
      this.#isSignedIn = true;
      this.#ports.onSignedIn();
    }
    if (this.#server !== undefined) this.#toServer.send(bytes, this.#client, this.#server);
    else if (isWhole) this.#connect(Buffer.from(head));
  }

  /**
   * A client without a whole head holds one file. Only a whole head takes the two further files of the
   * connection with the server.
   */
  #connect(head: Buffer): void {
    this.#isConnecting = true;
    this.#ports.onConnect();
    this.#early.push(head);
    this.#client.pause();
    const opened = (server: ProxiedSocket) => {
      if (this.#isClientClosed) {
        server.terminate();
        return;
      }
      this.#isConnecting = false;
      this.#server = server;
      this.#client.resume();
      this.#toServer.send(Buffer.concat(this.#early.splice(0)), this.#client, server);
    };
    const socket = {
      open: opened,
      data: (server: ProxiedSocket, bytes: Buffer) => this.receive(server, bytes),
      drain: (server: ProxiedSocket) => this.drain(server),
      close: (server: ProxiedSocket) => this.close(server),
      connectError: () => this.terminate(),
    };
    Bun.connect<ProxiedConnection>({ unix: this.#ports.path, socket, data: this }).catch(() =>
      this.terminate(),
    );
  }
}

/** The bytes of one direction. While some wait, the source is not read. */
class Flow {
  #rest: Buffer | undefined;
  /** The last time at which waiting bytes were taken. */
  #takenAt = 0;

  get isEmpty(): boolean {
    return this.#rest === undefined;
  }

  /** For how long no waiting byte was taken. */
  stuckMs(now: number): number {
    return this.isEmpty ? 0 : now - this.#takenAt;
  }

  send(bytes: Buffer, from: ProxiedSocket, to: ProxiedSocket): void {
    if (this.#rest !== undefined) {
      this.#rest = Buffer.concat([this.#rest, bytes]);
      return;
    }
    const written = Math.max(0, to.write(bytes));
    if (written === bytes.length) return;
    this.#rest = Buffer.from(bytes.subarray(written));
    this.#takenAt = performance.now();
    from.pause();
  }

  drain(to: ProxiedSocket, from: ProxiedSocket | undefined): void {
    if (this.#rest === undefined) return;
    const written = Math.max(0, to.write(this.#rest));
    if (written > 0) this.#takenAt = performance.now();
    this.#rest = written === this.#rest.length ? undefined : this.#rest.subarray(written);
    if (this.#rest === undefined) from?.resume();
  }
}
