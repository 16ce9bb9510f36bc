/**
 * One bridge on one pair of pipes: reads the host's lines, gives each to the bridge as a message or
 * as a problem, and writes what the bridge sends.
 */
import { type HostWriter, openHostWriter, openStamp, type Sink } from "../ipc.ts";
import { Bridge, type BridgePorts } from "./bridge.ts";
import type { HostLines } from "./host-lines.ts";
import { parseInboundLine } from "./inbound-line.ts";

/** A bridge's ports, and the host's two pipes. */
export type ConnectionPorts = BridgePorts & {
  readonly input: HostLines;
  readonly output: Sink;
  /** What becomes of a running turn when the input ends. */
  readonly onEof: "interrupt" | "drain";
};

/** Unread answers, in characters, above which the host's input has to wait. */
const MAX_UNREAD_ANSWERS = 8 * 1024 * 1024;

export class HostConnection {
  readonly #ports: ConnectionPorts;
  readonly #writer: HostWriter;
  readonly #bridge: Bridge;

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
    this.#writer = openHostWriter(ports.output, () => this.close());
    const { write, drained } = this.#writer;
    const stamp = openStamp();
    this.#bridge = new Bridge(ports, {
      send: (message) => write(stamp(message)),
      drained,
      stopListening: () => void ports.input.cancel(),
    });
  }

  /** Serves the host until its input ends or is ended; resolves when all is written and Claude is gone. */
  async run(): Promise<void> {
    await this.#readHost();
    await this.#bridge.end(this.#ports.onEof === "drain");
    await this.#writer.drained();
  }

  /** Ends Claude, and stops listening, which ends `run`. */
  close(): void {
    this.#bridge.close();
  }

  /** Ends because of an error that nothing has caught. */
  fault(thrown: unknown): void {
    this.#bridge.fault(thrown);
  }

  async #readHost(): Promise<void> {
    const { input } = this.#ports;
    let unread = 0;
    for (let lines = await input.read(); lines !== undefined; lines = await input.read()) {
      const before = this.#writer.total();
      for (const line of lines) this.#bridge.receive(parseInboundLine(line));
      // Only answers count: Claude's messages must not keep an interrupt from being read.
      const answers = this.#writer.total() - before;
      unread = this.#writer.backlog() === answers ? answers : unread + answers;
      if (unread <= MAX_UNREAD_ANSWERS) continue;
      await this.#writer.drained();
      unread = 0;
    }
  }
}
