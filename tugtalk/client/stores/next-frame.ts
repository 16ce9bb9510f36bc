/** When the readers of a page hear of a change. */

/** A page that is not shown, or is hidden before it is painted, should still follow what happens. */
const HIDDEN_MS = 250;

/** With the next frame that a browser paints. */
export function onNextFrame(run: () => void): void {
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    run();
  });
  const timer = setTimeout(() => {
    cancelAnimationFrame(frame);
    run();
  }, HIDDEN_MS);
}
