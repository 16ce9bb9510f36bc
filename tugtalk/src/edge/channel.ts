/** One of many bridges on the pipes of a host: its life from the first line to `channel_closed`. */
import { Bridge, type BridgePorts } from "./bridge.ts";
import type { HostEnd } from "./host-end.ts";
import type { InboundLine } from "./inbound-line.ts";

/** The machine as a channel needs it; the channel itself says how it has ended. */
export type ChannelPorts = Omit<BridgePorts, "onFatal"> & {
  /** Called once it has ended. */
  readonly release: () => void;
};

/** The host, as a channel sees it. */
type ChannelEnd = Omit<HostEnd, "stopListening"> & {
  /** Called right after the last message. */
  readonly onClosed: () => void;
};

export class Channel {
  readonly #bridge: Bridge;
  readonly #ports: ChannelPorts;
  readonly #host: ChannelEnd;
  #exitCode = 0;
  #ending: Promise<void> | undefined;

  constructor(ports: ChannelPorts, host: ChannelEnd) {
    this.#ports = ports;
    this.#host = host;
    const onFatal = () => {
      this.#exitCode = 1;
    };
    const stopListening = () => void this.end(false);
    this.#bridge = new Bridge({ ...ports, onFatal }, { ...host, stopListening });
  }

  /** It takes no further lines. */
  get isEnding(): boolean {
    return this.#ending !== undefined;
  }

  /** See `Bridge.room`. */
  get room(): Promise<void> | undefined {
    return this.#bridge.room;
  }

  /** Handles one line of the host. */
  receive(line: InboundLine): void {
    // A process without a session ends with its input; a channel has none of its own.
    const { isUnused } = this.#bridge;
    if (isUnused && "message" in line && line.message.type === "shutdown") this.close();
    else this.#bridge.receive(line);
  }

  /** Nothing follows from the host. Resolves when Claude is gone and the last message is sent. */
  end(drain: boolean): Promise<void> {
    this.#ending ??= this.#end(drain);
    return this.#ending;
  }

  /** Ends Claude at once. */
  close(): void {
    this.#bridge.close();
  }

  /** Ends because of an error that nothing has caught. */
  fault(thrown: unknown): void {
    this.#bridge.fault(thrown);
  }

  async #end(drain: boolean): Promise<void> {
    await this.#bridge.end(drain);
    this.#ports.release();
    this.#host.send({ type: "channel_closed", exit_code: this.#exitCode });
    this.#host.onClosed();
  }
}
