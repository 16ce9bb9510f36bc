/** What ends a host from outside. */

/** Calls `close` when the system asks this process to end, or when its terminal is gone. */
export function closeOnSignals(close: () => void): void {
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, close);
  // Without a listener, a write to a closed terminal or pipe would throw in the middle of `close`.
  process.stdout.on("error", close);
  process.stdin.on("error", close);
}
