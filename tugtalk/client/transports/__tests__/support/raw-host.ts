/** A host whose answers the test writes, for answers that the reference host never gives by itself. */
import type { ServerWebSocket } from "bun";
import type { HostAddress } from "../../transport.ts";

export type RawOptions = {
  /** How often a connection is said to be alive; absent: never. */
  readonly pingMs?: number;
  /** The answers to the first streams. */
  readonly refusals?: readonly number[];
};

export class RawHost {
  /** How many streams or sockets were opened. */
  connections = 0;
  pings = 0;
  readonly #options: RawOptions;
  readonly #server: Bun.Server<undefined>;
  readonly #timers = new Set<Timer>();

  constructor(options: RawOptions = {}) {
    this.#options = options;
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request, server) => this.#answer(request, server),
      websocket: {
        open: (socket) => this.#open(socket),
        message: () => {},
      },
    });
  }

  get address(): HostAddress {
    return { url: `http://127.0.0.1:${this.#server.port}`, pingMs: 100 };
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#server.stop(true);
  }

  #answer(request: Request, server: Bun.Server<undefined>): Response | undefined {
    const refusal = this.#options.refusals?.[this.connections];
    this.connections += 1;
    if (refusal !== undefined) return Response.json({ error: "no" }, { status: refusal });
    if (request.headers.has("upgrade") && server.upgrade(request)) return undefined;
    let stop = () => {};
    const stream = new ReadableStream({
      start: (controller) => {
        controller.enqueue(": hello\n\n");
        stop = this.#ping(() => controller.enqueue(": ping\n\n"));
      },
      cancel: () => stop(),
    });
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  }

  #open(socket: ServerWebSocket<undefined>): void {
    this.#ping(() => socket.sendText('{"t":"ping"}'));
  }

  #ping(send: () => void): () => void {
    const { pingMs } = this.#options;
    if (pingMs === undefined) return () => {};
    const timer = setInterval(() => {
      this.pings += 1;
      send();
    }, pingMs);
    this.#timers.add(timer);
    return () => clearInterval(timer);
  }
}
