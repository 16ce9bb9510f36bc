/** Clients on a plain TCP connection that read nothing until the test lets them. */

type Headers = Readonly<Record<string, string>>;

export class StuckClient {
  readonly closed: Promise<void>;
  readonly #socket: Bun.Socket;
  #text = "";
  #look: PromiseWithResolvers<void> | undefined;
  #timer: Timer | undefined;

  private constructor(socket: Bun.Socket, closed: Promise<void>) {
    this.#socket = socket;
    this.closed = closed;
  }

  /** Asks for server-sent events and reads none of them. */
  static async events(port: number, path: string, headers: Headers = {}): Promise<StuckClient> {
    const client = await StuckClient.#open(port);
    client.#socket.write(requestText(port, path, headers));
    client.#socket.pause();
    return client;
  }

  /** Opens a WebSocket, gives one command and reads nothing after that. */
  static async socket(port: number, command: object, headers: Headers = {}): Promise<StuckClient> {
    const client = await StuckClient.#open(port);
    client.#socket.write(requestText(port, "/ws", { ...UPGRADE, ...headers }));
    client.give(command);
    client.#socket.pause();
    return client;
  }

  static async #open(port: number): Promise<StuckClient> {
    const closed = Promise.withResolvers<void>();
    let take = (_: Buffer) => {};
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: { data: (_, data) => take(data), close: () => closed.resolve() },
    });
    const client = new StuckClient(socket, closed.promise);
    take = (data) => client.#take(data);
    return client;
  }

  /** The bytes that it has read, one character for each. */
  get text(): string {
    return this.#text;
  }

  /** Gives a command on its WebSocket. */
  give(command: object): void {
    this.#socket.write(maskedText(JSON.stringify(command)));
  }

  /** Reads all bytes that come. */
  read(): void {
    clearInterval(this.#timer);
    this.#look = undefined;
    this.#socket.resume();
  }

  /** Reads the bytes that one look at the socket brings. */
  look(): Promise<void> {
    this.#look ??= Promise.withResolvers();
    this.#socket.resume();
    return this.#look.promise;
  }

  /** Has one look at the socket, and then reads nothing for this time. */
  readEvery(ms: number): void {
    this.#timer = setInterval(() => void this.look(), ms);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#socket.terminate();
  }

  #take(data: Buffer): void {
    this.#text += data.toString("latin1");
    if (this.#look === undefined) return;
    this.#socket.pause();
    this.#look.resolve();
    this.#look = undefined;
  }
}

const UPGRADE = {
  upgrade: "websocket",
  connection: "Upgrade",
  "sec-websocket-version": "13",
  "sec-websocket-key": btoa("a nonce of 16 by"),
};

function requestText(port: number, path: string, headers: Headers): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join("")}\r\n`;
}

/** A frame of the protocol, masked with zeros. The text has less than 126 bytes. */
function maskedText(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}
