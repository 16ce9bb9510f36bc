/** The way from a host to its database, which a test can cut and freeze. */
import { connect, createServer, type Server, type Socket } from "node:net";

export class BreakingProxy {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #isFrozen = false;

  private constructor(port: number) {
    this.#server = createServer((client) => {
      const database = connect(port, "127.0.0.1");
      for (const [from, to] of [
        [client, database],
        [database, client],
      ] as const) {
        this.#open.add(from);
        from.on("data", (data) => to.write(data));
        from.on("error", () => {});
        from.on("close", () => {
          this.#open.delete(from);
          to.destroy();
        });
        if (this.#isFrozen) from.pause();
      }
    });
  }

  static async open(port: number): Promise<BreakingProxy> {
    const proxy = new BreakingProxy(port);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" ? (address?.port ?? 0) : 0;
  }

  /** Every connection breaks off; new ones are taken. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Not a byte passes from now on, and no connection ends by itself. `open`: new ones do pass. */
  freeze(which: "all" | "open" = "all"): void {
    this.#isFrozen = which === "all";
    for (const socket of this.#open) socket.pause();
  }

  /** Nothing passes one way by one of the open connections, which is chosen by a number. */
  freezeOne(number: number): void {
    [...this.#open][number % Math.max(1, this.#open.size)]?.pause();
  }

  /** Lets the held bytes pass. */
  thaw(): void {
    this.#isFrozen = false;
    for (const socket of this.#open) socket.resume();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }
}
