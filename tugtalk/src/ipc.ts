/**
 * The host's pipe. One writer: it stamps each message with version and number, and joins what one
 * tick produced into one write. It tells its callers when the pipe is full; it never drops a message.
 */
import { IPC_VERSION } from "./messages/envelope.ts";
import type { OutboundDraft } from "./types.ts";

/** Where bytes for the host go; a `Bun.FileSink` is one. */
export type Sink = {
  readonly write: (chunk: string) => unknown;
  readonly flush: () => unknown;
  /** Hears of each line when it is sent, which is before it is written. */
  readonly queued?: (line: string) => void;
};

/** The way out to the host. */
export type HostWriter = {
  readonly send: (message: OutboundDraft) => void;
  /** Resolves when the host has taken all that was sent; nothing while there is nothing to wait for. */
  readonly drained: () => Promise<void> | undefined;
  /** Characters that are sent and not taken. */
  readonly backlog: () => number;
  /** Characters that have been sent since the start. */
  readonly total: () => number;
};

/**
 * After so many characters what they have left behind is collected. The collector of the runtime would
 * let it grow to three times as much; at this pace its work does not show in a flood's time.
 */
const COLLECT_AFTER = 16 * 1024 * 1024;

/** Opens the one writer. `onGone` is called once, when the host no longer reads and never will. */
export function openHostWriter(sink: Sink, onGone: () => void): HostWriter {
  let seq = 0;
  let batch: string[] = [];
  let size = 0;
  let total = 0;
  let uncollected = 0;
  let writing: Promise<void> | undefined;
  let isGone = false;

  const send = (message: OutboundDraft): void => {
    if (isGone) return;
    const { type, ...fields } = message;
    // Counted once it is written down: what is nested too deep for that must leave no gap.
    const line = serialized({ type, ipc_version: IPC_VERSION, seq: seq + 1, ...fields });
    seq += 1;
    batch.push(line);
    size += line.length;
    total += line.length;
    sink.queued?.(line);
    writing ??= writeAll();
  };

  const collectAfter = (written: number): void => {
    uncollected += written;
    if (uncollected < COLLECT_AFTER) return;
    uncollected = 0;
    Bun.gc(true);
  };

  async function writeAll(): Promise<void> {
    // Everything that this tick produces goes out together.
    await Promise.resolve();
    try {
      while (batch.length > 0) {
        const chunk = batch.join("");
        batch = [];
        // Both fail where the pipe is broken, each by itself.
        await Promise.all([sink.write(chunk), sink.flush()]);
        size -= chunk.length;
        collectAfter(chunk.length);
      }
    } catch {
      isGone = true;
      batch = [];
      size = 0;
      onGone();
    }
    writing = undefined;
  }

  return { send, drained: () => writing, backlog: () => size, total: () => total };
}

/** One line. The two separators that some readers take for line ends leave escaped. */
function serialized(message: object): string {
  const text = JSON.stringify(message);
  const escaped = /[\u2028\u2029]/.test(text)
    ? text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")
    : text;
  return `${escaped}\n`;
}
