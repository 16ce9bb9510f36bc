/** Waits for what a test can only see by looking: what a socket has brought, or who listens. */

const LIMIT_MS = 20_000;

/** Rejects when it has not come in twenty seconds, or another time. */
export async function eventually(isSo: () => boolean, limitMs = LIMIT_MS): Promise<void> {
  const limit = performance.now() + limitMs;
  while (!isSo()) {
    if (performance.now() > limit) throw new Error(`not so after ${limitMs} ms: ${isSo}`);
    await Bun.sleep(1);
  }
}
