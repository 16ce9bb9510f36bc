/** The speed of a played conversation. */

/** The divisor of pauses; `max` and 0 mean no pauses at all. Undefined: not a speed. */
export function parseSpeed(text: string): number | undefined {
  if (text === "max") return Number.POSITIVE_INFINITY;
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text)) return undefined;
  return Number(text) === 0 ? Number.POSITIVE_INFINITY : Number(text);
}

/** Waits `ms` milliseconds of the conversation's time, at most until `cut`. */
export function pauseAt(speed: number): (ms: number, cut: AbortSignal) => Promise<void> {
  if (speed === Number.POSITIVE_INFINITY) return () => Bun.sleep(0);
  return (ms, cut) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms / speed);
      cut.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    });
}
