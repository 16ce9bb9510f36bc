/**
 * Faults on command that no conversation can script, for example a crash, a hang or ignored signals. Orders
 * arrive over a Unix socket, one JSON object a line; reports go back: the process ids and the input. The
 * faults are modelled on those of real processes.
 */
import { closeSync, writeSync } from "node:fs";
import { z } from "zod";
import type { WriteText } from "./output.ts";
import type { Player } from "./player.ts";

const lineObject = z.record(z.string(), z.unknown());

/** The possible orders. */
export const Order = z.discriminatedUnion("order", [
  /** Handles stdin from now on; until then stdin is read and kept. */
  z.object({ order: z.literal("listen") }),
  /** Stops reading stdin, even its end. */
  z.object({ order: z.literal("stop_reading") }),
  z.object({ order: z.literal("exit"), code: z.number() }),
  z.object({ order: z.literal("die"), signal: z.string() }),
  /** Stops all work; a deaf process ignores every signal that can be ignored. */
  z.object({ order: z.literal("hang"), isDeaf: z.boolean() }),
  z.object({ order: z.literal("close_stdout") }),
  /** Writes any bytes to stdout. */
  z.object({ order: z.literal("write"), base64: z.string() }),
  /** Prints these lines as part of the turn. */
  z.object({ order: z.literal("say"), lines: z.array(lineObject) }),
  /** Prints this line without end; `"$count"` in it is 0, 1, 2 … */
  z.object({ order: z.literal("flood"), line: lineObject }),
  /** Reports the number of lines of the flood so far. */
  z.object({ order: z.literal("count") }),
  /** Ends the flood. */
  z.object({ order: z.literal("stop_flood") }),
  /**
   * Starts a process as a tool does. It ends with the turn, or with this process if that ends in good order.
   */
  z.object({ order: z.literal("run_tool"), command: z.array(z.string()) }),
]);
export type Order = z.infer<typeof Order>;

/** The reports to the sender of orders. */
export const Report = z.union([
  z.object({ pid: z.number(), parent: z.number() }),
  z.object({ heard: z.string() }),
  /** The input has ended. */
  z.object({ heardEnd: z.literal(true) }),
  z.object({ tool: z.number() }),
  z.object({ counted: z.number() }),
  /** An order has been executed, or is about to be if no report can follow it. */
  z.object({ applied: z.string() }),
]);
export type Report = z.infer<typeof Report>;

/** The most characters of a read that are reported: more might not fit into the socket at once. */
const MAX_HEARD = 4096;

/** A source of bytes of stdin. */
export type ByteReader = {
  readonly read: () => Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
};

/** One process that takes orders. It needs the player before any input is read. */
export class FaultControl {
  #socket: Bun.Socket | undefined;
  readonly #tools: Bun.Subprocess[] = [];
  #stdout: Bun.FileSink | undefined;
  #player: Player | undefined;
  /** Settled by the order `listen`. */
  readonly #listening = Promise.withResolvers<void>();
  /** Absent while stdin is read; settled at the end. */
  #deafness: PromiseWithResolvers<void> | undefined;
  #rest = "";
  /** The number of lines of the flood. */
  #count = 0;

  /** Reports to the socket at `path`, and executes its orders. */
  static async open(path: string): Promise<FaultControl> {
    const faults = new FaultControl();
    const data = (_socket: Bun.Socket, chunk: Buffer) => faults.#take(chunk.toString());
    faults.#socket = await Bun.connect({ unix: path, socket: { data } });
    return faults;
  }

  /** The player that orders apply to. */
  attach(player: Player): void {
    this.#player = player;
    this.#report({ pid: process.pid, parent: process.ppid });
  }

  /** The bytes of a reader, reported as they come and held back as ordered. */
  listenTo(reader: ByteReader): ByteReader {
    const kept = new ReadableStream<Uint8Array>({
      start: (controller) => void this.#readAhead(reader, controller),
    }).getReader();
    const read = async () => {
      await this.#listening.promise;
      return await kept.read();
    };
    return { read };
  }

  /** The function that writes to stdout, until an order closes it. */
  speakThrough(stdout: Bun.FileSink, write: WriteText): WriteText {
    this.#stdout = stdout;
    return (text) => (this.#stdout === undefined ? Promise.resolve() : write(text));
  }

  /** The turn has ended, and so do its tools. */
  endTools(): void {
    for (const tool of this.#tools.splice(0)) tool.kill("SIGKILL");
  }

  /** Takes no further orders: the process ends normally. */
  close(): void {
    this.endTools();
    this.#listening.resolve();
    this.#deafness?.resolve();
    this.#socket?.end();
  }

  #report(report: Report): void {
    this.#socket?.write(`${JSON.stringify(report)}\n`);
  }

  async #readAhead(
    reader: ByteReader,
    kept: ReadableStreamDefaultController<Uint8Array>,
  ): Promise<void> {
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      await this.#deafness?.promise;
      if (done || value === undefined) break;
      this.#report({ heard: decoder.decode(value, { stream: true }).slice(0, MAX_HEARD) });
      kept.enqueue(value);
    }
    this.#report({ heardEnd: true });
    kept.close();
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const order = Order.parse(JSON.parse(line));
      this.#apply(order);
      this.#confirm(order);
    }
  }

  /** Sends the report first if none can follow the order. */
  #confirm({ order }: Order): void {
    this.#report({ applied: order });
  }

  #apply(order: Order): void {
    switch (order.order) {
      case "listen":
        this.#listening.resolve();
        break;
      case "stop_reading":
        this.#deafness = Promise.withResolvers();
        break;
      case "die":
        this.#confirm(order);
        process.kill(process.pid, order.signal);
        break;
      case "hang":
        if (!order.isDeaf) removeHandlers();
        this.#confirm(order);
        block();
        break;
      case "close_stdout":
        this.#closeStdout();
        break;
      case "write":
        writeSync(1, Buffer.from(order.base64, "base64"));
        break;
      case "say":
        this.#player?.stream(order.lines.values());
        break;
      case "flood":
        this.#player?.stream(this.#countedCopies(JSON.stringify(order.line)));
        break;
      case "count":
        this.#report({ counted: this.#count });
        break;
      case "stop_flood":
        this.#player?.stopOutput();
        break;
      case "run_tool":
        this.#runTool(order.command);
        break;
      case "exit":
        this.#confirm(order);
        process.exit(order.code);
    }
  }

  /** The sink writes to a copy of the descriptor: the pipe ends when both are closed. */
  #closeStdout(): void {
    void this.#stdout?.end();
    this.#stdout = undefined;
    closeSync(1);
  }

  *#countedCopies(template: string): Generator<Record<string, unknown>> {
    for (this.#count = 0; ; ) {
      const line = template.replaceAll("$count", String(this.#count));
      this.#count += 1;
      yield lineObject.parse(JSON.parse(line));
    }
  }

  #runTool(command: readonly string[]): void {
    // Like any tool it is in this process group, without these pipes.
    const tool = Bun.spawn([...command], { stdio: ["ignore", "ignore", "ignore"] });
    this.#tools.push(tool);
    this.#report({ tool: tool.pid });
  }
}

function removeHandlers(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(signal);
}

/**
 * Blocks the only thread. A signal with a handler is then lost; one without a handler still ends the process.
 */
function block(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
