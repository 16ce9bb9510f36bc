/** Signals to processes that may have exited. Unix only. */

/** Whether a process exists and can be signalled. A negative id means any process of that group. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // Signalling it fails.
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
