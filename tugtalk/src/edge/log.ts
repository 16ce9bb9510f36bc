/** Logs to stderr; stdout belongs to the protocol. Logs hold no messages of a conversation and no secrets. */
import { writeTo } from "../base/write-to.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

/** The lowest level that is logged. */
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Log = (level: Exclude<LogLevel, "silent">, message: string) => void;

/** Unread lines are buffered up to this many characters; further ones are dropped. */
const MAX_BUFFERED_CHARS = 64 * 1024;

/** Opens a log. It never waits, so a host need not read it. */
export function openLog(threshold: LogLevel): Log {
  let sink: Bun.FileSink | undefined;
  let bufferedChars = 0;
  return (level, message) => {
    if (
      LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(threshold) ||
      bufferedChars > MAX_BUFFERED_CHARS
    )
      return;
    const line = `tugtalk ${level}: ${message}\n`;
    // The console would block until the reader has read.
    sink ??= Bun.stderr.writer();
    bufferedChars += line.length;
    void written(sink, line).then(() => {
      bufferedChars -= line.length;
    });
  };
}

async function written(sink: Bun.FileSink, line: string): Promise<void> {
  try {
    const written = writeTo(sink, line);
    // An unread log must not keep the process alive.
    sink.unref();
    await written;
  } catch {
    // The log is closed: there is no one to report to.
  }
}
