/**
 * One bridge on one pair of pipes: reads the host's lines, gives each to the bridge as a message or
 * as a problem, and writes the messages of the bridge.
 */
import type { Line } from "../base/lines.ts";
import { type HostWriter, openHostWriter, type Sink } from "../ipc.ts";
import { Bridge, type BridgePorts } from "./bridge.ts";
import { openHostEnd } from "./host-end.ts";
import { type HostLines, readHost } from "./host-lines.ts";
import { parseInboundLine } from "./inbound-line.ts";

/** A bridge's ports, and the host's two pipes. */
export type ConnectionPorts = BridgePorts & {
  readonly input: HostLines;
  readonly output: Sink;
  /** The fate of a running turn when the input ends. */
  readonly onEof: "interrupt" | "drain";
};

export class HostConnection {
  readonly #ports: ConnectionPorts;
  readonly #writer: HostWriter;
  readonly #bridge: Bridge;

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
    this.#writer = openHostWriter(ports.output, () => this.close());
    this.#bridge = new Bridge(ports, {
      ...openHostEnd(this.#writer, ports.output),
      stopListening: () => void ports.input.cancel(),
    });
  }

  /** Serves the host until its input ends or is ended; resolves when all is written and Claude is gone. */
  async run(): Promise<void> {
    const receive = (line: Line) => this.#bridge.receive(parseInboundLine(line));
    const room = () => this.#bridge.room;
    await readHost(this.#ports.input, this.#writer, { receive, room });
    await this.#bridge.end(this.#ports.onEof === "drain");
    await this.#writer.flush();
  }

  /** Ends Claude, and stops listening, which ends `run`. */
  close(): void {
    this.#bridge.close();
  }

  /** Ends because of an error that nothing has caught. */
  fault(thrown: unknown): void {
    this.#bridge.fault(thrown);
  }
}
