/** A moment near today, for a person. */

/** The time of day, and the date too if that is another one. */
export function formatTime(date: Date, now: Date): string {
  const timeStyle = "short";
  return date.toDateString() === now.toDateString()
    ? date.toLocaleTimeString(undefined, { timeStyle })
    : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle });
}
