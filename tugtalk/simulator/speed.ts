/** How fast a conversation is played. */

/** The factor that pauses are divided by; `max` and 0 mean no pauses at all. Nothing: not a speed. */
export function parseSpeed(text: string): number | undefined {
  if (text === "max") return Number.POSITIVE_INFINITY;
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text)) return undefined;
  return Number(text) === 0 ? Number.POSITIVE_INFINITY : Number(text);
}

/** Waits `ms` milliseconds of the conversation's time. */
export function pauseAt(speed: number): (ms: number) => Promise<void> {
  return (ms) => Bun.sleep(ms / speed);
}
