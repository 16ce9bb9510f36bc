/** The host's input as batches of lines, and the loop that reads it. */
import { type Line, LineSplitter } from "../base/lines.ts";
import type { HostWriter } from "../ipc.ts";

/** Where the host's lines come from. */
export type HostLines = {
  /** The next lines, at least one; undefined once the input has ended. */
  readonly read: () => Promise<readonly Line[] | undefined>;
  /** Ends the input, also for a read that is pending. */
  readonly cancel: () => Promise<void>;
};

/** A pipe that the host writes to; the reader of a stream is one. */
export type ByteReader = {
  readonly read: () => Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  readonly cancel: () => Promise<void>;
};

/** A failed read ends the input like a closed pipe, so that Claude is ended as usual. */
const FAILED = { done: true, value: undefined };

/** Cuts a pipe into lines of at most `maxLineBytes`. */
export function openHostLines(bytes: ByteReader, maxLineBytes: number): HostLines {
  const splitter = new LineSplitter(maxLineBytes);
  let isOver = false;
  return {
    read: async () => {
      while (!isOver) {
        const { done, value } = await bytes.read().catch(() => FAILED);
        isOver = done || value === undefined;
        const lines = isOver || value === undefined ? splitter.end() : splitter.feed(value);
        if (lines.length > 0) return lines;
      }
      return undefined;
    },
    cancel: () => bytes.cancel(),
  };
}

/** Unread answers, in characters, above which the host's input has to wait. */
const MAX_UNREAD_ANSWERS = 8 * 1024 * 1024;

/** Who gets the lines. */
export type LineReceiver = {
  readonly receive: (line: Line) => void;
  /** Resolves when it takes further lines; undefined if it does. */
  readonly room: () => Promise<void> | undefined;
};

/** Gives on each line until the input ends. Waits for room, and while too many answers are unread. */
export async function readHost(
  input: HostLines,
  writer: HostWriter,
  { receive, room }: LineReceiver,
): Promise<void> {
  let unread = 0;
  for (let lines = await input.read(); lines !== undefined; lines = await input.read()) {
    const before = writer.total();
    for (const line of lines) receive(line);
    for (let full = room(); full !== undefined; full = room()) await full;
    // Only answers count: Claude's messages must not keep an interrupt from being read.
    const answers = writer.total() - before;
    unread = writer.backlog() === answers ? answers : unread + answers;
    if (unread <= MAX_UNREAD_ANSWERS) continue;
    await writer.flush();
    unread = 0;
  }
}
