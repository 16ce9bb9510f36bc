/** A host by way of a proxy, in which a test decides how the bytes of the host reach its client. */
import { connect, createServer, type Server, type Socket } from "node:net";

/** Carries the bytes of the host. Returns the function that stops it, if there is something to stop. */
type Carry = (host: Socket, client: Socket) => (() => void) | undefined;

const INTERVAL_MS = 10;

export class ProxiedHost {
  /** How many connections were made. */
  connections = 0;
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(port: number, carry: Carry) {
    this.#server = createServer((client) => {
      this.connections += 1;
      const host = connect(port, "127.0.0.1");
      // The host answers by its own name only.
      client.on("data", (data) =>
        host.write(data.toString("latin1").replaceAll(`:${this.port}`, `:${port}`), "latin1"),
      );
      const stop = carry(host, client);
      for (const socket of [client, host]) {
        this.#open.add(socket);
        socket.on("error", () => {});
        socket.on("close", () => {
          stop?.();
          client.destroy();
          host.destroy();
        });
      }
    });
  }

  static async open(port: number, carry: Carry): Promise<ProxiedHost> {
    const proxy = new ProxiedHost(port, carry);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" ? (address?.port ?? 0) : 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }
}

/** Lets this many bytes pass in each interval. */
export function slowly(bytes: number): Carry {
  return (host, client) => {
    const timer = setInterval(
      () => client.write(host.read(bytes) ?? host.read() ?? ""),
      INTERVAL_MS,
    );
    return () => clearInterval(timer);
  };
}

/** Cuts each of the first streams of events after this many bytes. */
export function cutAfter(bytes: number, cuts: { left: number }): Carry {
  return (host, client) => {
    let isStream = false;
    let passed = 0;
    host.on("data", (data) => {
      isStream ||= data.includes("text/event-stream");
      passed += data.length;
      client.write(data);
      if (!isStream || passed < bytes || cuts.left === 0) return;
      cuts.left -= 1;
      client.destroy();
    });
    return undefined;
  };
}
