/**
 * The way out to the host. A stamp turns each message into a line with version and number. The one
 * writer joins the lines of one batch into one write, and says when the pipe is full. It drops
 * nothing.
 */
import { jsonLine, partsAround } from "./base/json-line.ts";
import { type Pipe, writeTo } from "./base/write-to.ts";
import { IPC_VERSION } from "./messages/envelope.ts";
import type { RepeatedMessage } from "./messages/repeated-message.ts";
import type { OutboundDraft } from "./types.ts";

/** Where bytes for the host go; a `Bun.FileSink` is one. */
export type Sink = Pipe & {
  /** Called with each line when it is sent, before it is written. Where it is set, no message is sent as a repeated one. */
  readonly queued?: (line: string) => void;
};

/** Turns messages into lines of the wire, each with its LF. */
export type Stamp = {
  readonly line: (message: OutboundDraft) => string;
  readonly repeatedLines: (repeated: RepeatedMessage) => string;
};

/** The pipe to the host. */
export type HostWriter = {
  /** Writes whole lines, with the next `flush` or at the end of this tick. */
  readonly write: (lines: string) => void;
  /** Writes the buffered lines at once. Returns the same as `drained`. */
  readonly flush: () => Promise<void> | undefined;
  /** Resolves when the host has read everything; undefined while it keeps up. */
  readonly drained: () => Promise<void> | undefined;
  /** Characters that are buffered. */
  readonly backlog: () => number;
  /** Characters that were written since the start. */
  readonly total: () => number;
};

/**
 * Memory is collected after this many characters. By itself the runtime lets garbage grow to three times
 * as much. Half of this interval would save some megabytes, and cost a tenth of the CPU of a flood.
 */
const COLLECT_AFTER = 32 * 1024 * 1024;

/** Opens a stamp, which counts from 1. A message that cannot be serialised throws and leaves no gap. */
export function openStamp(channel?: string): Stamp {
  let seq = 0;
  const line = (message: OutboundDraft): string => {
    const stamped = stampedLine(message, seq + 1, channel);
    seq += 1;
    return stamped;
  };
  let frame: Frame | undefined;
  const repeatedLines = ({ message, field, literals }: RepeatedMessage): string => {
    // The same message has other texts with each chunk of a stream.
    if (frame?.message !== message) frame = frameOf(message, field, channel);
    const { head, middle, tail } = frame;
    let lines = "";
    for (const literal of literals) {
      seq += 1;
      lines += `${head}${seq}${middle}${literal}${tail}`;
    }
    return lines;
  };
  return { line, repeatedLines };
}

/** A line for the host around its number and its text. */
type Frame = {
  readonly message: OutboundDraft;
  readonly head: string;
  readonly middle: string;
  readonly tail: string;
};

function frameOf(
  message: OutboundDraft,
  field: RepeatedMessage["field"],
  channel: string | undefined,
): Frame {
  const [head = "", middle = "", tail = ""] = partsAround((gap) =>
    stampedLine({ ...message, [field]: gap }, gap, channel),
  );
  return { message, head, middle: `${middle}"`, tail: `"${tail}` };
}

/** Opens the one writer. `onGone` is called once, when the pipe is broken. */
export function openHostWriter(sink: Sink, onGone: () => void): HostWriter {
  let batch: string[] = [];
  let size = 0;
  let total = 0;
  const collect = openCollector();
  let writing: Promise<void> | undefined;
  let isGone = false;

  const write = (line: string): void => {
    if (isGone) return;
    if (batch.length === 0) queueMicrotask(flush);
    batch.push(line);
    size += line.length;
    total += line.length;
    sink.queued?.(line);
  };

  const flush = (): Promise<void> | undefined => {
    try {
      const pending = writing === undefined && batch.length > 0 ? writeBatch() : undefined;
      writing ??= pending && writeRest(pending);
    } catch {
      giveUp();
    }
    return writing;
  };

  /** Undefined if the pipe has taken all of it. */
  const writeBatch = (): Promise<void> | undefined => {
    const chunk = batch.join("");
    batch = [];
    const recordWritten = () => {
      size -= chunk.length;
      collect(chunk.length);
    };
    const pending = writeTo(sink, chunk)?.then(recordWritten);
    if (pending === undefined) recordWritten();
    return pending;
  };

  /** Writes the lines that come while the host reads. */
  async function writeRest(pending: Promise<void>): Promise<void> {
    try {
      await pending;
      while (batch.length > 0) await writeBatch();
    } catch {
      giveUp();
    }
    writing = undefined;
  }

  const giveUp = (): void => {
    isGone = true;
    batch = [];
    size = 0;
    onGone();
  };

  return { write, flush, drained: () => writing, backlog: () => size, total: () => total };
}

/** Returns a function that adds up how much was written, and collects memory when that is due. */
function openCollector(): (written: number) => void {
  let uncollected = 0;
  return (written) => {
    uncollected += written;
    if (uncollected < COLLECT_AFTER) return;
    uncollected = 0;
    Bun.gc(true);
  };
}

/** One line, with the stamp after the type. */
function stampedLine(
  message: OutboundDraft,
  seq: number | string,
  channel: string | undefined,
): string {
  const { type } = message;
  // With the type once more, which keeps its place: fields without it would be a further copy of them.
  const fields: object = message;
  return jsonLine({ type, ipc_version: IPC_VERSION, seq, channel, ...fields });
}
