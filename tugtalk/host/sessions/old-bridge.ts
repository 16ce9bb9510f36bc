/**
 * A lost bridge, or one that a killed host has left: it ends by itself, and its conversation may be resumed
 * only then.
 */
import { spawnSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { isRunning } from "../../src/base/processes.ts";
import { presentUptime, type Uptime, uptimeAtStart } from "../../src/base/uptime.ts";
import { ApiError } from "../api/api-error.ts";
import type { BridgeMark, SessionRow } from "../journal/journal.ts";

const CHECK_MS = 50;
/** A bridge ends within its interrupt time-out and two grace times. */
const MAX_WAIT_MS = 20_000;

/** The error of a start that is given up. */
export const CLOSING = new ApiError(503, "closing", "Claude is being ended");

/**
 * How long a bridge on a place may still run, in ms. 0 for a bridge of this machine, whose process can be
 * checked. The clock of `now` counts only if the uptimes cannot be compared, as after a restart of the
 * machine or on another one.
 */
export function lingerLeft(
  { bridge }: Pick<SessionRow, "bridge">,
  now: number,
  up: Uptime | undefined,
): number {
  if (bridge?.lingerMs === undefined) return 0;
  const { at, upAt, lingerMs } = bridge;
  const passed = up && up.processes === upAt?.processes ? up.ms - upAt.ms : now - at;
  // The clock may have been set back.
  return Math.min(Math.max(0, lingerMs - passed), lingerMs);
}

/**
 * Resolves when the bridge is gone. `now` is by the clock of its mark. Rejects with an `ApiError` if the
 * bridge does not end, or if nobody waits any more.
 */
export async function oldBridgeGone(
  row: SessionRow,
  signal: AbortSignal,
  now: number,
): Promise<void> {
  const { bridge } = row;
  if (bridge === undefined) return;
  try {
    if (bridge.lingerMs === undefined) await processGone(bridge, signal);
    else await delay(lingerLeft(row, now, presentUptime()), undefined, { signal });
  } catch (error) {
    throw signal.aborted ? CLOSING : error;
  }
}

async function processGone(mark: BridgeMark, signal: AbortSignal): Promise<void> {
  const { pid, claudePid = pid } = mark;
  const alive = [pid, claudePid].filter((one) => isRunning(one) && !isYounger(one, mark));
  for (let waited = 0; alive.some(isRunning); waited += CHECK_MS) {
    if (waited >= MAX_WAIT_MS)
      throw new ApiError(503, "bridge_runs", `the bridge of before, ${pid}, does not end`);
    await delay(CHECK_MS, undefined, { signal });
  }
}

/** The longest time between the mark of a bridge and the start of Claude. */
const TOLERANCE_MS = 5_000;

/**
 * Whether the id belongs to another process now, as after a restart of the machine. False if the system does
 * not say.
 */
function isYounger(pid: number, { at, upAt }: BridgeMark): boolean {
  const begun = upAt && uptimeAtStart(pid);
  if (begun === undefined) return isYoungerByClock(pid, at);
  return begun.processes !== upAt?.processes || begun.ms > upAt.ms + TOLERANCE_MS;
}

/** The same by the clock, for systems without an uptime. The clock may have been set. */
function isYoungerByClock(pid: number, at: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    env: { ...process.env, LC_ALL: "C" },
    encoding: "utf8",
  });
  return Date.parse(stdout) > at + TOLERANCE_MS;
}
