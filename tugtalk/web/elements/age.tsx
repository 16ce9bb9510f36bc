/** How long ago something was, kept up to date. */
import { now } from "./now.ts";

/** `at` in milliseconds since 1970. */
export function Age({ at }: { readonly at: number }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {formatAge(Math.max(now.value, Date.now(), at) - at, date)}
    </time>
  );
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `3 min ago`; the date if it is more than a month ago. */
export function formatAge(ageMs: number, date: Date): string {
  if (ageMs < MINUTE_MS) return "just now";
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min ago`;
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)} h ago`;
  const days = Math.floor(ageMs / DAY_MS);
  if (days <= 30) return days === 1 ? "1 day ago" : `${days} days ago`;
  return date.toLocaleDateString(undefined, { dateStyle: "medium" });
}
