/** Waits for a state that a test can only poll: the bytes of a socket, or the listeners. */

const LIMIT_MS = 20_000;

/** Rejects after twenty seconds, or another time. */
export async function eventually(isSo: () => boolean, limitMs = LIMIT_MS): Promise<void> {
  const limit = performance.now() + limitMs;
  while (!isSo()) {
    if (performance.now() > limit) throw new Error(`not so after ${limitMs} ms: ${isSo}`);
    await Bun.sleep(1);
  }
}
