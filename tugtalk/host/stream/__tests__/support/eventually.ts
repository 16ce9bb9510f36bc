/** Waits for what a test can only see by looking: what a socket has brought, or who listens. */

const LIMIT_MS = 4_000;

/** Rejects when it has not come in four seconds. */
export async function eventually(isSo: () => boolean): Promise<void> {
  const limit = performance.now() + LIMIT_MS;
  while (!isSo()) {
    if (performance.now() > limit) throw new Error(`not so after ${LIMIT_MS} ms: ${isSo}`);
    await Bun.sleep(1);
  }
}
