/**
 * Many bridges on one pair of pipes. Each line of the host goes to the bridge of its channel, and each
 * message of a bridge carries its channel. One writer serves all bridges in fair turns. A bridge reads its
 * Claude again when the writer has written the messages of that Claude.
 */
import type { Fields } from "../base/json.ts";
import type { Line } from "../base/lines.ts";
import { type HostWriter, openHostWriter, openStamp } from "../ipc.ts";
import { definedFields, isChannelName } from "../messages/envelope.ts";
import { errorMessage, TugtalkError } from "../messages/errors.ts";
import { Channel, type ChannelPorts } from "./channel.ts";
import { openFairFlush } from "./fair-turns.ts";
import type { ConnectionPorts } from "./host-connection.ts";
import { openHostEnd } from "./host-end.ts";
import { readHost } from "./host-lines.ts";
import {
  type InboundProblem,
  parseHostObject,
  parseInboundObject,
  problemWith,
  type UnreadLine,
} from "./inbound-line.ts";

/** The host's two pipes, and a way to open a further channel. */
export type ChannelsPorts = Pick<
  ConnectionPorts,
  "input" | "output" | "onEof" | "log" | "onFatal"
> & {
  readonly maxChannels: number;
  readonly openChannel: (name: string) => ChannelPorts;
  /** See `openFairFlush`. */
  readonly nextTurn: () => Promise<void>;
};

/** The types that a bridge accepts before it is initialized; each opens a channel. */
const OPENING: ReadonlySet<unknown> = new Set([
  ...["protocol_init", "session_list", "session_history", "transcript_restore"],
]);

export class Channels {
  readonly #ports: ChannelsPorts;
  readonly #writer: HostWriter;
  /** For messages of the process, which have no channel. */
  readonly #stamp = openStamp();
  readonly #channels = new Map<string, Channel>();
  readonly #flush: HostWriter["flush"];

  constructor(ports: ChannelsPorts) {
    this.#ports = ports;
    this.#writer = openHostWriter(ports.output, () => this.close());
    this.#flush = openFairFlush(this.#writer, ports.nextTurn);
  }

  /** Serves the host until its input ends or is ended; resolves when all is written and every Claude is gone. */
  async run(): Promise<void> {
    const { input, onEof } = this.#ports;
    const receive = (line: Line) => this.#receive(line);
    await readHost(input, this.#writer, { receive, room: () => this.#room() });
    const channels = [...this.#channels.values()];
    await Promise.all(channels.map((channel) => channel.end(onEof === "drain")));
    await this.#writer.flush();
  }

  /** Ends every channel, and stops listening, which ends `run`. */
  close(): void {
    for (const channel of this.#channels.values()) channel.close();
    void this.#ports.input.cancel();
  }

  /** Ends everything because of an error that nothing has caught: it may come from any channel. */
  fault(thrown: unknown): void {
    const { message } = TugtalkError.from(thrown);
    this.#writer.write(this.#stamp.line(errorMessage("internal", message, { recoverable: false })));
    this.#ports.onFatal();
    for (const channel of this.#channels.values()) channel.fault(thrown);
    void this.#ports.input.cancel();
  }

  /** A channel that holds too many lines stops the input of all channels: they share one pipe. */
  #room(): Promise<void> | undefined {
    for (const { room } of this.#channels.values()) if (room !== undefined) return room;
    return undefined;
  }

  #receive(line: Line): void {
    const parsed = parseHostObject(line);
    if ("problem" in parsed) this.#refuseUnread(parsed);
    else {
      const { value } = parsed;
      const channel = this.#channelOf(value);
      if (typeof channel === "string")
        this.#refuse(problemWith(value, "bad_channel", channel), value["channel"]);
      else channel.receive(parseInboundObject(parsed));
    }
  }

  /** A line that is too long is a problem of its channel, if that is open. */
  #refuseUnread({ problem, channel: name }: UnreadLine): void {
    const channel = isChannelName(name) ? this.#channels.get(name) : undefined;
    if (channel?.isEnding === false) channel.receive({ problem });
    else this.#refuse(problem, name);
  }

  /** The channel that a message is for, opened if need be, or why there is none. */
  #channelOf({ channel, type }: Fields): Channel | string {
    if (!isChannelName(channel)) return "channel: must be a text of 1 to 64 characters";
    const open = this.#channels.get(channel);
    const shown = `channel ${JSON.stringify(channel)}`;
    if (open?.isEnding === true) return `${shown} is ending; channel_closed frees its name`;
    if (open !== undefined) return open;
    if (!OPENING.has(type)) return `${shown} is not open; protocol_init opens it`;
    const { maxChannels } = this.#ports;
    return this.#channels.size < maxChannels
      ? this.#open(channel)
      : `${shown} is one too many: ${maxChannels} are open; --max-channels sets the limit`;
  }

  #open(name: string): Channel {
    const channel = new Channel(this.#ports.openChannel(name), {
      ...openHostEnd(this.#writer, this.#ports.output, name),
      flush: this.#flush,
      onClosed: () => void this.#channels.delete(name),
    });
    this.#channels.set(name, channel);
    return channel;
  }

  #refuse({ code, message, ...reply }: InboundProblem, channel: unknown): void {
    // Only the code is logged: the message may quote the line.
    this.#ports.log("warn", `refused a line of the host: ${code}`);
    const of_channel = isChannelName(channel) ? channel : undefined;
    const details = definedFields({ ...reply, source: "host" as const, of_channel });
    this.#writer.write(this.#stamp.line(errorMessage(code, message, details)));
  }
}
