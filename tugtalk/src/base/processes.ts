/** Processes by their ids: whether they run, and signals to their groups. Unix only. */

/** Whether a process, or one of a group as a negative id, runs. False for one of another user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !isZombie(pid);
  } catch {
    return false; // There is no such process, or it may not be asked.
  }
}

/**
 * Names the set of processes in which this process can look up an id: those of its user and its container
 * since the start of the system. Undefined where the system does not say it.
 */
export function ownProcesses(): string | undefined {
  const user = process.getuid?.();
  if (process.platform !== "linux") return `${process.platform} ${user}`;
  const { readFileSync, readlinkSync } = process.getBuiltinModule("node:fs");
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")} ${user}`;
  } catch {
    return undefined; // There is no `/proc`.
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

/**
 * The fields of Linux about a process, from its state on. The name of the program comes before them, in
 * parentheses, and may have parentheses too. Throws if no process has this id, or there is no `/proc`.
 */
export function statFields(pid: number): readonly string[] {
  // Loaded when it is needed: a bridge starts without it.
  const stat = process.getBuiltinModule("node:fs").readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** It has ended, and nobody has waited for it, as in a container without an init. */
function isZombie(pid: number): boolean {
  try {
    return statFields(pid)[0] === "Z";
  } catch {
    // Only Linux has this file, and no group has one.
    return false;
  }
}
