/** The way out to the host for one bridge: each message as a line, on the channel of the bridge if it has one. */
import { type HostWriter, openStamp, type Sink } from "../ipc.ts";
import type { RepeatedMessage } from "../messages/repeated-message.ts";
import type { OutboundDraft } from "../types.ts";

/** The host, as a bridge sees it. */
export type HostEnd = {
  readonly send: (message: OutboundDraft) => void;
  /** Undefined: each message is sent by itself. */
  readonly sendRepeated?: (repeated: RepeatedMessage) => void;
  /** See `HostWriter`. */
  readonly flush: () => Promise<void> | undefined;
  readonly drained: () => Promise<void> | undefined;
  /** Ends the host's input. */
  readonly stopListening: () => void;
};

/** The way out to the host for one of the bridges that share a writer. */
export function openHostEnd(
  { write, flush, drained }: HostWriter,
  output: Sink,
  channel?: string,
): Omit<HostEnd, "stopListening"> {
  const stamp = openStamp(channel);
  const sendRepeated = (repeated: RepeatedMessage) => write(stamp.repeatedLines(repeated));
  return {
    send: (message) => write(stamp.line(message)),
    ...(output.queued === undefined && { sendRepeated }),
    flush,
    drained,
  };
}
