/** Logs, on stderr: stdout is the protocol's. Nothing that a person said, and no secret, is logged. */

import { z } from "zod";

const LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

/** From which level on lines are logged. */
export const LogLevel = z.enum(LEVELS);
export type LogLevel = z.infer<typeof LogLevel>;

export type Log = (level: Exclude<LogLevel, "silent">, message: string) => void;

/** Lines that nobody reads are kept up to this many characters; then further ones are left out. */
const MAX_BUFFERED_CHARS = 64 * 1024;

/** A log that keeps quiet below a level. Never waits: a host need not read it. */
export function openLog(threshold: LogLevel): Log {
  let sink: Bun.FileSink | undefined;
  let bufferedChars = 0;
  return (level, message) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(threshold) || bufferedChars > MAX_BUFFERED_CHARS)
      return;
    const line = `tugtalk ${level}: ${message}\n`;
    // Not the console, which waits for the reader and makes us deaf for as long.
    sink ??= Bun.stderr.writer();
    bufferedChars += line.length;
    void written(sink, line).then(() => {
      bufferedChars -= line.length;
    });
  };
}

async function written(sink: Bun.FileSink, line: string): Promise<void> {
  try {
    const written = [sink.write(line), sink.flush()];
    // What nobody reads must not keep us from ending.
    sink.unref();
    await Promise.all(written);
  } catch {
    // Nobody reads the log: there is nobody to be told.
  }
}
