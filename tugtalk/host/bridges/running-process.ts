/** Processes that are not our children, by their id. */
import { readFileSync } from "node:fs";

/** Whether it runs. False for one of another user, which is none that we have started. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !isZombie(pid);
  } catch {
    return false; // There is no such process, or it may not be asked.
  }
}

/** Signals the process group of a Claude. */
export function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has exited already.
  }
}

/** It has ended, and nobody has waited for it, as in a container without an init. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // After the name of the program, which is in parentheses and may have some.
    return stat.slice(stat.lastIndexOf(")")).startsWith(") Z");
  } catch {
    // Only Linux has this file.
    return false;
  }
}
