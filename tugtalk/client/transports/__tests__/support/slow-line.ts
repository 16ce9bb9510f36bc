/** A line to a host on the same machine that lets a number of bytes pass in each interval, from the host to its client. */
import { connect, createServer, type Server, type Socket } from "node:net";

const INTERVAL_MS = 10;

export class SlowLine {
  /** How many connections were made. */
  connections = 0;
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(port: number, bytes: number) {
    this.#server = createServer((client) => {
      this.connections += 1;
      const host = connect(port, "127.0.0.1");
      // The host answers by its own name only.
      client.once("data", (head) => {
        host.write(head.toString("latin1").replaceAll(`:${this.port}`, `:${port}`), "latin1");
        client.pipe(host);
      });
      const timer = setInterval(
        () => client.write(host.read(bytes) ?? host.read() ?? ""),
        INTERVAL_MS,
      );
      for (const socket of [client, host]) {
        this.#open.add(socket);
        socket.on("error", () => {});
        socket.on("close", () => {
          clearInterval(timer);
          client.destroy();
          host.destroy();
        });
      }
    });
  }

  static async open(port: number, bytesEachInterval: number): Promise<SlowLine> {
    const line = new SlowLine(port, bytesEachInterval);
    await new Promise<void>((resolve) => line.#server.listen(0, "127.0.0.1", resolve));
    return line;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" ? (address?.port ?? 0) : 0;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }
}
