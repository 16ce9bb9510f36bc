/**
 * One process of many channels, in this process. Each harness keeps its own host, whose pipes lead
 * through the shared ones. Its lines get their channel on the way in, and messages find it on the way
 * out.
 */
import { isJsonObject, parseJson } from "../../src/base/json.ts";
import { isOverlong, type Line } from "../../src/base/lines.ts";
import { Channels } from "../../src/edge/channels.ts";
import type { ConnectionPorts } from "../../src/edge/host-connection.ts";
import { parseEmitted } from "../drivers/emitted-lines.ts";
import type { OpenBridge } from "./bridge-harness.ts";

/** One channel while it lives. */
type Attached = {
  readonly ports: ConnectionPorts;
  readonly closed: PromiseWithResolvers<void>;
};

export class SharedBridge {
  readonly #attached = new Map<unknown, Attached>();
  readonly #lines: Line[] = [];
  #wake = Promise.withResolvers<void>();
  #isOver = false;
  /** Resolves when every channel and the process have ended. */
  readonly ended: Promise<void>;

  constructor() {
    const channels = new Channels({
      input: { read: () => this.#read(), cancel: async () => this.close() },
      output: { write: (chunk) => this.#write(chunk), flush: () => this.#flush() },
      onEof: "interrupt",
      log: () => {},
      onFatal: () => {},
      maxChannels: 64,
      nextTurn: async () => {},
      openChannel: (name) => {
        const ports = this.#portsOf(name);
        // As the end of a bridge closes the host's pipe: a late message opens no other channel.
        return { ...ports, release: () => void ports.input.cancel() };
      },
    });
    this.ended = channels.run();
  }

  /** Opens a channel with these ports. */
  connect(channel: string, ports: ConnectionPorts): OpenBridge {
    const closed = Promise.withResolvers<void>();
    this.#attached.set(channel, { ports, closed });
    return {
      run: async () => {
        void this.#forward(channel, ports);
        await closed.promise;
      },
      close: () => this.#send({ type: "shutdown", channel }),
    };
  }

  /** Closes the shared stdin. */
  close(): void {
    this.#isOver = true;
    this.#wake.resolve();
  }

  /** The end of a host's input ends its channel as `onEof` says. */
  async #forward(channel: string, { input, onEof }: ConnectionPorts): Promise<void> {
    for (let lines = await input.read(); lines !== undefined; lines = await input.read())
      for (const line of lines) this.#push(named(line, channel));
    this.#send({ type: "shutdown", drain: onEof === "drain", channel });
  }

  #send(message: object): void {
    this.#push(Buffer.from(JSON.stringify(message)));
  }

  #push(line: Line): void {
    this.#lines.push(line);
    this.#wake.resolve();
  }

  async #read(): Promise<readonly Line[] | undefined> {
    while (this.#lines.length === 0 && !this.#isOver) {
      this.#wake = Promise.withResolvers();
      await this.#wake.promise;
    }
    return this.#lines.length === 0 ? undefined : this.#lines.splice(0);
  }

  #portsOf(channel: unknown): ConnectionPorts {
    const attached = this.#attached.get(channel);
    if (attached === undefined) throw new Error(`no harness has the channel ${channel}`);
    return attached.ports;
  }

  #write(chunk: string): void {
    // All channels share one pipe: unread messages of one channel block the others.
    for (const { ports } of this.#attached.values()) void ports.output.write("");
    for (const line of chunk.split("\n").slice(0, -1)) {
      const { channel, type, recoverable } = parseEmitted(line);
      const attached = this.#attached.get(channel);
      // An error about a line that named no channel.
      if (attached === undefined) continue;
      void attached.ports.output.write(`${line}\n`);
      if (recoverable === false) attached.ports.onFatal();
      if (type === "channel_closed") attached.closed.resolve();
    }
  }

  /** The host reads all of it, or none. */
  async #flush(): Promise<void> {
    await Promise.all([...this.#attached.values()].map(({ ports }) => ports.output.flush()));
  }
}

/** A line with its channel, unless it is no object, which can have none. */
function named(line: Line, channel: string): Line {
  if (isOverlong(line)) return line;
  const value = parseJson(new TextDecoder().decode(line));
  if (!isJsonObject(value)) return line;
  // A line with a wrong channel must stay wrong: it gets a wrong type instead.
  const wrong = "channel" in value ? { type: null } : {};
  return Buffer.from(JSON.stringify({ ...value, ...wrong, channel }));
}
