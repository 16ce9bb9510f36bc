/** Logs, on stderr: stdout is the protocol's. Nothing that a person said, and no secret, is logged. */

const LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LEVELS)[number];

/** Tells whether a word of the command line names a level. */
export function isLogLevel(word: string): word is LogLevel {
  return LEVELS.some((level) => level === word);
}

export type Log = (level: Exclude<LogLevel, "silent">, message: string) => void;

/** A log that keeps quiet below a level. */
export function openLog(threshold: LogLevel): Log {
  return (level, message) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(threshold)) return;
    // Bun loads process.stderr slowly; the console's error stream is the same one.
    console.error(`tugtalk ${level}: ${message}`);
  };
}
