/** When the page draws next. */

/** A page that is not shown, or is hidden before it is painted, should still follow what happens. */
const HIDDEN_MS = 250;

export function onNextPaint(run: () => void): void {
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    run();
  });
  const timer = setTimeout(() => {
    cancelAnimationFrame(frame);
    run();
  }, HIDDEN_MS);
}
