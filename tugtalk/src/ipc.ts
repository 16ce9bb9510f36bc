/**
 * The way out to the host. A stamp turns each message into a line with version and number; the one
 * writer joins the lines of one tick into one write, and says when the pipe is full. It drops nothing.
 */
import { IPC_VERSION } from "./messages/envelope.ts";
import type { OutboundDraft } from "./types.ts";

/** Where bytes for the host go; a `Bun.FileSink` is one. */
export type Sink = {
  readonly write: (chunk: string) => unknown;
  readonly flush: () => unknown;
  /** Called with each line when it is sent, before it is written. */
  readonly queued?: (line: string) => void;
};

/** Turns a message into one line of the wire, with its LF. */
export type Stamp = (message: OutboundDraft) => string;

/** The pipe to the host. */
export type HostWriter = {
  /** Writes one line, later. */
  readonly write: (line: string) => void;
  /** Resolves when the host has read everything; undefined while nothing is buffered. */
  readonly drained: () => Promise<void> | undefined;
  /** Characters that are buffered. */
  readonly backlog: () => number;
  /** Characters that were written since the start. */
  readonly total: () => number;
};

/**
 * Memory is collected after so many characters. By itself the runtime lets garbage grow to three times
 * as much; at this interval collecting does not show in the time of a flood.
 */
const COLLECT_AFTER = 16 * 1024 * 1024;

/** Opens a stamp, which counts from 1. A message that cannot be serialised throws and leaves no gap. */
export function openStamp(): Stamp {
  let seq = 0;
  return ({ type, ...fields }) => {
    const line = serialized({ type, ipc_version: IPC_VERSION, seq: seq + 1, ...fields });
    seq += 1;
    return line;
  };
}

/** Opens the one writer. `onGone` is called once, when the pipe is broken. */
export function openHostWriter(sink: Sink, onGone: () => void): HostWriter {
  let batch: string[] = [];
  let size = 0;
  let total = 0;
  let uncollected = 0;
  let writing: Promise<void> | undefined;
  let isGone = false;

  const write = (line: string): void => {
    if (isGone) return;
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

  return { write, drained: () => writing, backlog: () => size, total: () => total };
}

/** One line. Two separators that some readers take for line ends are escaped. */
function serialized(message: object): string {
  const text = JSON.stringify(message);
  const escaped = /[\u2028\u2029]/.test(text)
    ? text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")
    : text;
  return `${escaped}\n`;
}
