/** Clients on a plain TCP connection that do not read what they are sent, until the test lets them. */

export class StuckClient {
  readonly #socket: Bun.Socket;
  readonly #closed: Promise<void>;
  #text = "";

  private constructor(
    socket: Bun.Socket,
    closed: Promise<void>,
    onData: (add: (data: Buffer) => void) => void,
  ) {
    this.#socket = socket;
    this.#closed = closed;
    onData((data) => {
      this.#text += data.toString("latin1");
    });
  }

  /** Asks for server-sent events and reads none of them. */
  static async events(port: number, path: string): Promise<StuckClient> {
    const client = await StuckClient.#open(port);
    client.#socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    client.#socket.pause();
    return client;
  }

  /** Opens a WebSocket, gives one command and reads nothing after that. */
  static async socket(port: number, command: object): Promise<StuckClient> {
    const client = await StuckClient.#open(port);
    const upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13";
    const key = `Sec-WebSocket-Key: ${btoa("a nonce of 16 by")}`;
    client.#socket.write(
      `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${upgrade}\r\n${key}\r\n\r\n`,
    );
    client.#socket.write(maskedText(JSON.stringify(command)));
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
    return new StuckClient(socket, closed.promise, (add) => {
      take = add;
    });
  }

  /** What it has read, one character for each byte. */
  get text(): string {
    return this.#text;
  }

  /** Resolves when the connection has ended. */
  get closed(): Promise<void> {
    return this.#closed;
  }

  /** Gives a command on its WebSocket. */
  give(command: object): void {
    this.#socket.write(maskedText(JSON.stringify(command)));
  }

  read(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.terminate();
  }
}

/** A frame of the protocol with a text of less than 126 bytes, masked with zeros. */
function maskedText(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}
