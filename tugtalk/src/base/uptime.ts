/** Times of processes by how long the system is up, which no clock tells that can be set. Linux only. */
import { uptime } from "node:os";
import { ownProcesses, statFields } from "./processes.ts";

export type Uptime = {
  /** Which start of which system counts: two times with other ones are not compared. */
  readonly processes: string;
  readonly ms: number;
};

/** `/proc` counts in these, whatever the machine. */
const TICK_MS = 10;
/** The start of a process, among its fields. */
const START_FIELD = 19;

/** Undefined where no process tells its time. */
export function presentUptime(): Uptime | undefined {
  return process.platform === "linux" ? uptimeOf(uptime() * 1_000) : undefined;
}

/** When a process was started. Undefined where it does not run, or does not tell. */
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
