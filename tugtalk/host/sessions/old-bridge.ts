/** The bridge that a killed host has left behind: it ends by itself, and nobody may resume before. */
import { ApiError } from "../api/api-error.ts";
import type { SessionRow } from "../journal/journal.ts";

const CHECK_MS = 50;
const MAX_WAIT_MS = 15_000;

/** Resolves when it is gone. Rejects with an `ApiError` if it does not end. */
export async function oldBridgeGone({ bridge }: SessionRow): Promise<void> {
  if (bridge === undefined) return;
  for (let waited = 0; isAlive(bridge.pid); waited += CHECK_MS) {
    if (waited >= MAX_WAIT_MS)
      throw new ApiError(503, "bridge_runs", `the bridge of before, ${bridge.pid}, does not end`);
    await Bun.sleep(CHECK_MS);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // There is no such process, or it belongs to someone else and is no bridge of ours.
    return false;
  }
}
