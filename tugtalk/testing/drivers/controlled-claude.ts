/** The test's end of the socket behind `TUGTALK_SIM_FAULTS`: sends orders to the stand-in. */
import { join } from "node:path";
import { type Order, Report } from "../../simulator/fault-control.ts";
import { folder } from "./written-conversation.ts";

/** One stand-in that takes orders. */
export type ControlledClaude = {
  readonly pid: number;
  /** The process that started it, which is the bridge. */
  readonly parent: number;
  /** Sends it orders, each once the one before has been carried out. */
  readonly apply: (...orders: readonly Order[]) => Promise<void>;
  /** Resolves when it has read this text from its stdin. */
  readonly hasHeard: (text: string) => Promise<void>;
  /** Whether it read the end of its stdin before it exited. */
  readonly hasHeardEnd: Promise<boolean>;
  /** How many lines its flood has had so far. */
  readonly countFlood: () => Promise<number>;
  /** Starts a tool that runs for longer than any test; returns its process id. */
  readonly runTool: () => Promise<number>;
};

/** The socket for the stand-ins of one bridge. */
export type FaultControlServer = {
  readonly env: Readonly<Record<string, string>>;
  /** The first stand-in. It does not act on its input until the order `listen`; later ones do at once. */
  readonly first: Promise<ControlledClaude>;
  readonly close: () => void;
};

const LONG_TOOL = ["sleep", "600"];

let rooms = 0;

/** Opens a socket for the Claudes of one bridge. */
export function openFaultControl(): FaultControlServer {
  const path = join(folder, `orders-${rooms++}`);
  const first = Promise.withResolvers<ControlledClaude>();
  let hasFirst = false;
  const server = Bun.listen<Desk>({
    unix: path,
    socket: {
      open: (socket) => {
        socket.data = new Desk((order) => void socket.write(`${JSON.stringify(order)}\n`));
        if (hasFirst) socket.data.order({ order: "listen" });
        else void socket.data.claude.then(first.resolve);
        hasFirst = true;
      },
      data: (socket, chunk) => socket.data.receive(chunk.toString()),
      close: (socket) => socket.data.close(),
    },
  });
  return {
    env: { TUGTALK_SIM_FAULTS: path },
    first: first.promise,
    close: () => void server.stop(true),
  };
}

/** One connection: orders go out, reports come in. */
class Desk {
  readonly #ready = Promise.withResolvers<ControlledClaude>();
  readonly #tool = Promise.withResolvers<number>();
  readonly #end = Promise.withResolvers<boolean>();
  readonly #counts: PromiseWithResolvers<number>[] = [];
  readonly #applied: PromiseWithResolvers<void>[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #send: (order: Order) => void;
  #heard = "";
  #rest = "";

  constructor(send: (order: Order) => void) {
    this.#send = send;
  }

  /** Resolves with the first report. */
  get claude(): Promise<ControlledClaude> {
    return this.#ready.promise;
  }

  /** Sends an order without waiting for it. */
  order(order: Order): void {
    this.#send(order);
  }

  receive(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#record(Report.parse(JSON.parse(line)));
  }

  /** No report follows. */
  close(): void {
    this.#end.resolve(false);
  }

  #record(report: Report): void {
    if ("tool" in report) this.#tool.resolve(report.tool);
    else if ("counted" in report) this.#counts.shift()?.resolve(report.counted);
    else if ("heardEnd" in report) this.#end.resolve(true);
    else if ("applied" in report) this.#applied.shift()?.resolve();
    else if ("heard" in report) {
      this.#heard += report.heard;
      for (const listener of [...this.#listeners]) listener();
    } else {
      this.#ready.resolve({
        ...report,
        apply: (...orders) => this.#apply(orders),
        hasHeard: (text) => this.#hasHeard(text),
        hasHeardEnd: this.#end.promise,
        countFlood: () => this.#countFlood(),
        runTool: () => this.#runTool(),
      });
    }
  }

  async #apply(orders: readonly Order[]): Promise<void> {
    for (const order of orders) {
      const applied = Promise.withResolvers<void>();
      this.#applied.push(applied);
      this.#send(order);
      await applied.promise;
    }
  }

  #hasHeard(text: string): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!this.#heard.includes(text)) return;
        this.#listeners.delete(check);
        resolve();
      };
      this.#listeners.add(check);
      check();
    });
  }

  #countFlood(): Promise<number> {
    const count = Promise.withResolvers<number>();
    this.#counts.push(count);
    void this.#apply([{ order: "count" }]);
    return count.promise;
  }

  #runTool(): Promise<number> {
    void this.#apply([{ order: "run_tool", command: [...LONG_TOOL] }]);
    return this.#tool.promise;
  }
}
