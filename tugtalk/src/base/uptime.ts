/** Times of processes in ms since the system started: nobody can set that clock. Linux only. */
import { uptime } from "node:os";
import { ownProcesses, statFields } from "./processes.ts";

export type Uptime = {
  /** See `ownProcesses`. Two times are only compared if it is the same for both. */
  readonly processes: string;
  readonly ms: number;
};

/** The unit of times in `/proc`, on every machine. */
const TICK_MS = 10;
/** The start of a process, among its fields. */
const START_FIELD = 19;

/** The time of the call. Undefined where the system has no such clock. */
export function presentUptime(): Uptime | undefined {
  return process.platform === "linux" ? uptimeOf(uptime() * 1_000) : undefined;
}

/** When a process was started. Undefined if it does not run, or the system has no such clock. */
export function uptimeAtStart(pid: number): Uptime | undefined {
  try {
    return uptimeOf(Number(statFields(pid)[START_FIELD]) * TICK_MS);
  } catch {
    return undefined; // There is no such process, or no `/proc`.
  }
}

function uptimeOf(ms: number): Uptime | undefined {
  const processes = ownProcesses();
  return processes === undefined || !Number.isFinite(ms) ? undefined : { processes, ms };
}
