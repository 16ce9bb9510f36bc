/** When the readers of a page hear of a change. */

/** A page that is hidden gets no frames. It runs its tasks after this time. */
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
