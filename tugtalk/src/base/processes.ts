/** Processes by their ids: whether they run, and signals to their groups. Unix only. */

/** Whether a process, or one of a group as a negative id, runs. False for one of another user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !isZombie(pid);
  } catch {
    return false; // There is no such process, or it may not be asked.
  }
}

/** Signals a whole process group. */
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
    // Loaded when it is needed: a bridge starts without it.
    const stat = process.getBuiltinModule("node:fs").readFileSync(`/proc/${pid}/stat`, "utf8");
    // After the name of the program, which is in parentheses and may have some.
    return stat.slice(stat.lastIndexOf(")")).startsWith(") Z");
  } catch {
    // Only Linux has this file, and no group has one.
    return false;
  }
}
