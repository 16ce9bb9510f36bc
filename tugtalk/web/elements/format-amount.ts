/** Durations, costs and counts in words. Pure. */

const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** `0.4 s`, `34 s`, `2 min 5 s`, `1 h 3 min`. */
export function formatDuration(durationMs: number): string {
  const seconds = durationMs / SECOND_MS;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < MINUTE_S) return `${whole} s`;
  if (whole < HOUR_S) return `${Math.floor(whole / MINUTE_S)} min ${whole % MINUTE_S} s`;
  return `${Math.floor(whole / HOUR_S)} h ${Math.floor((whole % HOUR_S) / MINUTE_S)} min`;
}

/** `$1.24`; with four places below 10 cents. */
export function formatDollars(dollars: number): string {
  return `$${dollars.toFixed(dollars !== 0 && dollars < 0.1 ? 4 : 2)}`;
}

/** `950`, `1.2k`, `34k`, `1.3M`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) return String(Math.round(tokens));
  if (tokens < 1_000_000) return `${shortened(tokens / 1_000)}k`;
  return `${shortened(tokens / 1_000_000)}M`;
}

function shortened(amount: number): string {
  return amount < 9.95 ? amount.toFixed(1) : String(Math.round(amount));
}

/** `3 files`, `1 file`. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
